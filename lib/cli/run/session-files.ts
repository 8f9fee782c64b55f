import path from 'node:path'
import type { SessionFacts, SessionStep } from '@/lib/conversations/exports/sessions/session-steps'
import {
  claudeCodeSession,
  codexSession,
  piSession,
} from '@/lib/conversations/exports/sessions/write-sessions'
import { claudeProjects, codexSessions, piSessions } from '@/lib/conversations/imports/agents/agent-folders'

type Env = Readonly<Record<string, string | undefined>>

/** A client whose sessions can be written. */
export interface SessionClient {
  lines(steps: readonly SessionStep[], facts: SessionFacts): object[]
  /** the file of a session in the client's own folder */
  fileOf(env: Env, facts: SessionFacts): string
  /** the command that continues it */
  resume(id: string): string
}

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
