import { type AgentClient, agentClientNames, agentClientOf } from '@/lib/events/agent-client'

/** Programs that send the name of a library introduce themselves in what the model reads first. */
const introductions: readonly [AgentClient, RegExp][] = [
  ['claude-code', /^You are (?:Claude Code|a Claude agent)\b/],
  ['qwen-code', /^You are Qwen Code\b/],
  ['continue', /^You are an agent in the Continue CLI\b/],
  ['cline', /^You are Cline\b/],
  ['pi', /\boperating inside pi, a coding agent harness\b/],
]

/** Letters of a system text in which a program introduces itself. */
const BEGINNING = 300
/** Letters of a name that are kept. */
const LONGEST = 200

/** The name that the program of an agent gives itself: by its header, or where that names a library, in its system texts. */
export function clientName(userAgent: string | null, system: readonly string[]): string | undefined {
  const header = userAgent?.slice(0, LONGEST)
  if (header && agentClientOf(header) !== 'api') return header
  const beginnings = system.slice(0, 4).map((text) => text.slice(0, BEGINNING).trimStart())
  const found = introductions.find(([, pattern]) => beginnings.some((text) => pattern.test(text)))
  if (!found) return header
  return [agentClientNames[found[0]], header && `(${header})`].filter(Boolean).join(' ').slice(0, LONGEST)
}
