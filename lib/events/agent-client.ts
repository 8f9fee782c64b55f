/** The programs of agents that are told apart; `api` is any other. */
export const agentClients = [
  'claude-code',
  'codex',
  'opencode',
  'qwen-code',
  'continue',
  'cline',
  'pi',
  'api',
] as const

export type AgentClient = (typeof agentClients)[number]

/** The name of each. */
export const agentClientNames: Readonly<Record<AgentClient, string>> = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  opencode: 'opencode',
  'qwen-code': 'Qwen Code',
  continue: 'Continue',
  cline: 'Cline',
  pi: 'pi',
  api: 'API',
}

/** The beginnings of the names that they give themselves. */
const calledBy: readonly [AgentClient, RegExp][] = [
  ['claude-code', /^claude-(?:cli|code)\b/i],
  ['codex', /^codex(?:[\W_]|$)/i],
  ['opencode', /^opencode\b/i],
  ['qwen-code', /^qwen-?code\b/i],
  ['continue', /^continue\b/i],
  ['cline', /^cline\b/i],
  ['pi', /^pi\b/],
]

/** The program that calls itself so. */
export const agentClientOf = (name: string): AgentClient =>
  calledBy.find(([, pattern]) => pattern.test(name))?.[0] ?? 'api'
