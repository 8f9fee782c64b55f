import { existsSync } from 'node:fs'
import { lstat, readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { isRecord, type Json, type JsonRecord } from '@/lib/transfer/json/values'

/** Letters of one session: a longer one is left out. */
const MAX_LETTERS = 32 * 1024 * 1024

/**
 * The sessions of opencode, each as `opencode export` writes it: out of its database, or out of the files that its versions
 * before that had.
 *
 * @param folder its data folder
 * @returns sentences: what could not be read
 */
export async function openCodeSessions(
  folder: string,
  keep: (name: string, text: string) => Promise<void>,
): Promise<string[]> {
  const database = path.join(folder, 'opencode.db')
  const found = await lstat(database).catch(() => null)
  return found?.isFile() ? fromDatabase(database, keep) : fromFiles(path.join(folder, 'storage'), keep)
}

async function fromDatabase(
  file: string,
  keep: (name: string, text: string) => Promise<void>,
): Promise<string[]> {
  const sqlite = await import('node:sqlite').catch(() => null)
  if (!sqlite)
    return ['The sessions of opencode are in a database that only Node 22.13 or a newer one reads.']
  const problems: string[] = []
  const db = new sqlite.DatabaseSync(file, { readOnly: true })
  try {
    const all = (sql: string, ...values: string[]): JsonRecord[] => db.prepare(sql).all(...values)
    for (const row of all('select * from session order by time_created')) {
      const id = String(row.id)
      const [size] = all('select sum(length(data)) as letters from part where session_id = ?', id)
      if (Number(size?.letters ?? 0) > MAX_LETTERS) {
        problems.push(`The session ${id} of opencode is longer than 32 MB. It is left out.`)
        continue
      }
      const parts = Map.groupBy(all('select * from part where session_id = ? order by id', id), (part) =>
        String(part.message_id),
      )
      const messages = all('select * from message where session_id = ? order by id', id).map((message) => ({
        info: { ...valueIn(message.data), id: message.id, sessionID: id },
        parts: (parts.get(String(message.id)) ?? []).map((part) => ({ ...valueIn(part.data), id: part.id })),
      }))
      const info = {
        id,
        parentID: row.parent_id,
        directory: row.directory,
        title: row.title,
        version: row.version,
        revert: valueIn(row.revert),
        time: { created: row.time_created, updated: row.time_updated, archived: row.time_archived },
      }
      await keep(`${id}.json`, JSON.stringify({ info, messages }))
    }
  } finally {
    db.close()
  }
  return problems
}

const valueIn = (text: Json): JsonRecord => {
  if (typeof text !== 'string') return {}
  const value: Json = JSON.parse(text)
  return isRecord(value) ? value : {}
}

/** The sessions of versions that kept a file for each session, message and part. */
async function fromFiles(
  storage: string,
  keep: (name: string, text: string) => Promise<void>,
): Promise<string[]> {
  const valuesIn = async (folder: string): Promise<JsonRecord[]> => {
    if (!existsSync(folder)) return []
    const entries = await readdir(folder, { withFileTypes: true })
    const names = entries
      .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
      .map(({ name }) => name)
    return Promise.all(
      names.sort().map(async (name) => valueIn(await readFile(path.join(folder, name), 'utf8'))),
    )
  }
  const projects = path.join(storage, 'session')
  if (!existsSync(projects)) return []
  for (const project of await readdir(projects, { withFileTypes: true })) {
    if (!project.isDirectory()) continue
    for (const info of await valuesIn(path.join(projects, project.name))) {
      // ids name folders: nothing else may
      if (typeof info.id !== 'string' || !/^\w+$/.test(info.id)) continue
      const messages = []
      for (const message of await valuesIn(path.join(storage, 'message', info.id))) {
        const isNamed = typeof message.id === 'string' && /^\w+$/.test(message.id)
        const parts = isNamed ? await valuesIn(path.join(storage, 'part', String(message.id))) : []
        messages.push({ info: message, parts })
      }
      await keep(`${info.id}.json`, JSON.stringify({ info, messages }))
    }
  }
  return []
}
