import { existsSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { FolderInUseError } from '@/lib/db'
import { createServices, sayingOf } from '@/lib/runtime'
import { serverOf } from '@/lib/runtime/folder-control'
import { CommandError } from '../errors'
import { LocalChats } from './local-chats'
import { findPerson } from './people'

/** A place that has been opened, and the person whose chats are there. */
export interface OpenedFolder {
  chats: LocalChats
  person: string
}

/**
 * Opens the data folder that the environment names, or its Postgres, in this process.
 *
 * @param options.person an e-mail address or an id, as `findPerson` takes it
 * @throws CommandError when another process has the folder, with the address of the server that has; of `findPerson`
 */
export async function openLocal(
  env: Readonly<Record<string, string | undefined>>,
  {
    place,
    person: named,
    tell,
  }: {
    place: string
    person: string | undefined
    /** takes the line of an error that the command goes on after */
    tell(line: string): void
  },
): Promise<OpenedFolder> {
  const services = await createServices(env, { brief: true }).catch((error: unknown) => {
    throw error instanceof FolderInUseError ? inUse(env.RAMIFY_DATA_DIR ?? '.data') : error
  })
  const release = () => services.database.close()
  try {
    const { id } = await findPerson(services.database, named)
    // a server logs whole errors; here they end on a person's screen
    const logError = (what: string, error: unknown) =>
      tell(`${what}: ${error instanceof Error ? sayingOf(error) : 'it failed'}`)
    const ports = { ...services.ports, logError }
    return { chats: new LocalChats({ ports }, id, { place, release }), person: id }
  } catch (error) {
    await release()
    throw error
  }
}

function inUse(dataDir: string): CommandError {
  const address = serverOf(dataDir)
  const opened = `The folder ${dataDir} is open in another Ramify process, and an embedded database belongs to one at a time.`
  if (!address) return new CommandError(`${opened} Wait for its end, or stop it.`)
  return new CommandError(
    `${opened} It is the server at ${address}: ask that one instead. Make a key at ${address}/settings/keys, then
  RAMIFY_SERVER=${address} RAMIFY_API_KEY=… ramify …`,
  )
}

/** What the current chat of a folder or a database is remembered by; it holds no password. */
export function keyOfLocal(env: Readonly<Record<string, string | undefined>>): string {
  if (env.DATABASE_URL) {
    const { host, pathname } = new URL(env.DATABASE_URL)
    return `database:${host}${pathname}`
  }
  return `folder:${realPath(path.resolve(env.RAMIFY_DATA_DIR || '.data'))}`
}

/** The path of a folder without links; it may be made later. */
const realPath = (folder: string): string =>
  existsSync(folder) ? realpathSync(folder) : path.join(realPath(path.dirname(folder)), path.basename(folder))
