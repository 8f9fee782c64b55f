import { constants, createReadStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { UnreadableExportError } from '@/lib/transfer'
import { type ExportDocument, recogniseDocument } from '@/lib/transfer/read-document'
import { inGroups, openDocuments } from '@/lib/transfer/read-export'
import { importedTitle } from '../plan-chat'
import type { AgentFolder } from './agent-folders'
import { openCodeSessions } from './opencode-sessions'

/** Files of one client that are looked at, and how deep their folders go. */
const [MAX_FILES, MAX_DEPTH] = [20_000, 8]

/** A session of an agent on this machine, as it is shown before its import. */
export interface FoundSession {
  /** its client and the name of its file */
  id: string
  source: AgentFolder['source']
  /** its title, or its first words */
  title: string
  /** the last part of the path that it worked in */
  project: string | null
  messages: number
  /** when something was last said, in ms; null: no message says */
  at: number | null
  /** its own file first, then files of its sub-agents and forks, with their names in an archive */
  files: readonly { file: string; name: string }[]
}

export interface FoundSessions {
  sessions: FoundSession[]
  /** sentences about unreadable files */
  problems: string[]
  /** deletes the files written for reading: the sessions of a database */
  close(): Promise<void>
}

/** A file of one of the known folders; a link in its place is not followed. */
export const openSessionFile = (file: string) =>
  createReadStream(file, { flags: (constants.O_RDONLY | constants.O_NOFOLLOW) as unknown as string })

/**
 * The sessions that agents have left in their folders, the latest first. It reads nothing outside of these folders, and follows
 * no link out of them.
 */
export async function findAgentSessions(
  folders: readonly AgentFolder[],
  { signal, progress }: { signal?: AbortSignal; progress?(found: number): void } = {},
): Promise<FoundSessions> {
  const sessions: FoundSession[] = []
  const problems: string[] = []
  const written = await mkdtemp(path.join(tmpdir(), 'ramify-sessions-'))
  const close = () => rm(written, { recursive: true, force: true })
  try {
    for (const { source, folder } of folders) {
      let root = folder
      if (source === 'opencode') {
        root = path.join(written, source)
        problems.push(...(await openCodeSessions(folder, (name, text) => keep(path.join(root, name), text))))
      }
      const files = await filesIn(root)
      if (files.length === MAX_FILES)
        problems.push(
          `${folder} holds more than ${MAX_FILES.toLocaleString('en')} files: the rest is left out.`,
        )
      const documents: ExportDocument[] = []
      for (const file of files) {
        signal?.throwIfAborted()
        const open = async () => openSessionFile(file)
        const document = await recogniseDocument({ name: file, open }).catch((error: unknown) =>
          told(error, problems),
        )
        if (document?.format.source === source) documents.push(document)
      }
      for (const group of inGroups(documents)) {
        signal?.throwIfAborted()
        const found = await describe(source, root, group, problems)
        if (found) sessions.push(found)
        progress?.(sessions.length)
      }
    }
    const latest = (one: FoundSession, other: FoundSession) => (other.at ?? 0) - (one.at ?? 0)
    return { sessions: sessions.toSorted(latest), problems, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function keep(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, text)
}

/** A file that cannot be read is said; any other error is one. */
function told(error: unknown, problems: string[]): null {
  const isGone =
    error instanceof Error && 'code' in error && ['ENOENT', 'EACCES', 'ELOOP'].includes(String(error.code))
  if (!(error instanceof UnreadableExportError) && !isGone) throw error
  problems.push(error.message)
  return null
}

/** The files of a folder by their names, without links; none where there is no such folder. */
async function filesIn(root: string): Promise<string[]> {
  const files: string[] = []
  const waiting = [{ folder: root, depth: 0 }]
  for (let next = waiting.pop(); next && files.length < MAX_FILES; next = waiting.pop()) {
    const { folder, depth } = next
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(error.code ?? '')) return []
      throw error
    })
    for (const entry of entries) {
      const at = path.join(folder, entry.name)
      if (entry.isDirectory() && depth < MAX_DEPTH) waiting.push({ folder: at, depth: depth + 1 })
      else if (entry.isFile() && /(?<!\.meta)\.jsonl?$/.test(entry.name) && files.length < MAX_FILES)
        files.push(at)
    }
  }
  return files.sort()
}

/** A session as its reader sees it; undefined: nothing was said in it, or it cannot be read. */
async function describe(
  source: AgentFolder['source'],
  root: string,
  group: ExportDocument[],
  problems: string[],
): Promise<FoundSession | undefined> {
  const opened = openDocuments([group], {})
  for await (const item of opened.items()) {
    if ('problem' in item) {
      problems.push(`${item.problem.chat}: ${item.problem.reason}`)
      continue
    }
    // the import reports the other entries of a file
    if (!('chat' in item)) continue
    const { chat } = item
    if (chat.messages.length === 0) continue
    const dates = chat.messages.map(({ createdAt }) => createdAt?.getTime() ?? 0)
    const [{ name: own } = { name: '' }] = group
    return {
      id: `${source}/${path.relative(root, own).split(path.sep).join('/')}`,
      source,
      title: importedTitle(chat),
      project: chat.tags[0] ?? null,
      messages: chat.messages.length,
      at: dates.reduce((one, other) => Math.max(one, other), 0) || null,
      files: group.map(({ name }) => ({
        file: name,
        name: path.relative(root, name).split(path.sep).join('/'),
      })),
    }
  }
  return undefined
}
