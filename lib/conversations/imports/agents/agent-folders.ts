import { homedir } from 'node:os'
import path from 'node:path'

type Env = Readonly<Record<string, string | undefined>>

/** A client, and the folder where it keeps its sessions. */
export interface AgentFolder {
  source: 'claude-code' | 'codex' | 'opencode' | 'pi'
  folder: string
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

const openCodeData = (env: Env): string =>
  path.join(env.XDG_DATA_HOME || path.join(homeOf(env), '.local', 'share'), 'opencode')

/** The folders of all clients, as the environment places them. */
export const agentFolders = (env: Env): AgentFolder[] => [
  { source: 'claude-code', folder: claudeProjects(env) },
  { source: 'codex', folder: codexSessions(env) },
  { source: 'opencode', folder: openCodeData(env) },
  { source: 'pi', folder: piSessions(env) },
]
