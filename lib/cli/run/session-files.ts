import { homedir } from 'node:os'
import path from 'node:path'
import type { SessionFacts, SessionStep } from '@/lib/conversations/exports/sessions/session-steps'
import {
  claudeCodeSession,
  codexSession,
  piSession,
} from '@/lib/conversations/exports/sessions/write-sessions'

type Env = Readonly<Record<string, string | undefined>>

/** A client whose sessions can be written. */
export interface SessionClient {
  lines(steps: readonly SessionStep[], facts: SessionFacts): object[]
  /** the file of a session in the client's own folder */
  fileOf(env: Env, facts: SessionFacts): string
  /** the command that goes on with it */
  resume(id: string): string
}

const homeOf = (env: Env): string => env.HOME || homedir()

/** The folder of Claude Code's sessions. */
export const claudeProjects = (env: Env): string =>
  path.join(env.CLAUDE_CONFIG_DIR || path.join(homeOf(env), '.claude'), 'projects')

export const codexSessions = (env: Env): string =>
  path.join(env.CODEX_HOME || path.join(homeOf(env), '.codex'), 'sessions')

export const piSessions = (env: Env): string =>
  env.PI_CODING_AGENT_SESSION_DIR ||
  path.join(env.PI_CODING_AGENT_DIR || path.join(homeOf(env), '.pi', 'agent'), 'sessions')

export const openCodeData = (env: Env): string =>
  path.join(env.XDG_DATA_HOME || path.join(homeOf(env), '.local', 'share'), 'opencode')

/** Clients by the names of their formats. */
export const sessionClients: Readonly<Record<string, SessionClient>> = {
  'claude-code': {
    lines: claudeCodeSession,
    fileOf: (env, { id, cwd }) =>
      path.join(claudeProjects(env), cwd.replace(/[^a-zA-Z0-9]/g, '-'), `${id}.jsonl`),
    resume: (id) => `claude --resume ${id}`,
  },
  codex: {
    lines: codexSession,
    fileOf(env, { id, now }) {
      const time = new Date(now).toISOString().slice(0, 19)
      const day = time.slice(0, 10).split('-')
      return path.join(codexSessions(env), ...day, `rollout-${time.replaceAll(':', '-')}-${id}.jsonl`)
    },
    resume: (id) => `codex resume ${id}`,
  },
  pi: {
    lines: piSession,
    fileOf(env, { id, cwd, now }) {
      const folder = `--${cwd.replace(/^[/\\]/, '').replace(/[/\\:]/g, '-')}--`
      const name = `${new Date(now).toISOString().replace(/[:.]/g, '-')}_${id}.jsonl`
      // a folder that is named by itself holds the sessions of all places
      const isFlat = !!env.PI_CODING_AGENT_SESSION_DIR
      return path.join(piSessions(env), ...(isFlat ? [] : [folder]), name)
    },
    resume: (id) => `pi --session ${id}`,
  },
}
