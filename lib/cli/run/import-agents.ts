import { createInterface } from 'node:readline/promises'
import { agentFolders } from '@/lib/conversations/imports/agents/agent-folders'
import { type FoundSession, findAgentSessions } from '@/lib/conversations/imports/agents/find-sessions'
import { packSessions } from '@/lib/conversations/imports/agents/pack-sessions'
import { counted, localTime, oneLine, plain } from '../draw/plain'
import { CommandError, UsageError } from '../errors'
import type { Terminal } from '../terminal'

/** Selects the sessions of agents, and the part of them to import. */
export interface AgentsAsked {
  client?: string | undefined
  since?: string | undefined
  all?: boolean | undefined
}

/** Problems that are shown. */
const SHOWN = 20

/**
 * Shows the sessions of agents on this machine, and imports the chosen ones: the files of each client as one
 * import.
 *
 * @param bring imports one file
 */
export async function importAgents(
  { client, since, all }: AgentsAsked,
  terminal: Terminal,
  bring: (file: { path: string; name: string }) => Promise<void>,
): Promise<void> {
  const { env, callerEnv = env } = terminal.world
  const known = agentFolders(callerEnv)
  const folders = known.filter(({ source }) => client === undefined || source === client)
  if (folders.length === 0)
    throw new UsageError(
      `--client is one of ${known.map(({ source }) => source).join(', ')}, not “${plain(client ?? '')}”.`,
    )
  const from = since === undefined ? 0 : Date.parse(since)
  if (Number.isNaN(from))
    throw new UsageError(`--since is a day like 2026-03-14, not “${plain(since ?? '')}”.`)
  const { sessions, problems, close } = await findAgentSessions(folders, {
    progress: (found) => terminal.progress(`${counted(found, 'session')} found`),
  })
  try {
    terminal.progress('')
    for (const problem of problems.slice(0, SHOWN)) terminal.note(plain(problem))
    const meant = sessions.filter(({ at }) => (at ?? 0) >= from)
    if (meant.length === 0)
      throw new CommandError(`No session is in ${folders.map(({ folder }) => plain(folder)).join(', ')}.`)
    const chosen = await chosenOf(meant, terminal, all === true)
    if (chosen.length > 0) await packSessions(chosen, bring)
  } finally {
    await close()
  }
}

/** The sessions that a person chooses; all with `--all`. They are only listed where no terminal can ask. */
async function chosenOf(
  sessions: readonly FoundSession[],
  terminal: Terminal,
  all: boolean,
): Promise<readonly FoundSession[]> {
  if (all) return sessions
  const rows = sessions.map(({ source, title, project, messages, at }) => ({
    client: source,
    title,
    project,
    messages,
    at: at === null ? null : new Date(at).toISOString(),
  }))
  terminal.result(rows, () => {
    for (const [index, { source, project, title, messages, at }] of sessions.entries()) {
      const day = at === null ? '' : localTime(at)
      const where = project === null ? '' : `${oneLine(project, 24)}: `
      terminal.line(
        `${String(index + 1).padStart(4)}  ${source.padEnd(11)}  ${day}  ${counted(messages, 'message')}  ${where}${oneLine(title, 60)}`,
      )
    }
  })
  if (!terminal.isInteractive || terminal.json) {
    terminal.note('Nothing was imported: --all brings all of these.')
    return []
  }
  const { stdin, stdout } = terminal.world
  const lines = createInterface({ input: stdin, output: stdout, terminal: true })
  try {
    const answer = await lines.question('Which of them? Numbers like 1 3-5, all, or nothing: ')
    return placesIn(answer, sessions.length).flatMap((place) => sessions[place - 1] ?? [])
  } finally {
    lines.close()
  }
}

/** The places that an answer names, from 1 on. @throws UsageError for an answer that names none */
export function placesIn(answer: string, count: number): number[] {
  const words = answer
    .trim()
    .split(/[\s,]+/)
    .filter(Boolean)
  if (words.length === 1 && words[0]?.toLowerCase() === 'all')
    return Array.from({ length: count }, (_, at) => at + 1)
  const places = words.flatMap((word) => {
    const [, first, last = first] = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(word) ?? []
    const [from, to] = [Number(first), Number(last)]
    if (!(from >= 1 && to >= from && to <= count))
      throw new UsageError(`“${plain(word)}” is none of the numbers 1 to ${count}.`)
    return Array.from({ length: to - from + 1 }, (_, at) => from + at)
  })
  return [...new Set(places)]
}
