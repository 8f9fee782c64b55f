import { existsSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { FolderInUseError } from '@/lib/db'
import { createServices, sayingOf } from '@/lib/runtime'
import { serverOf } from '@/lib/runtime/folder-control'
import { CommandError } from '../errors'
import { LocalChats } from './local-chats'
import { findPerson } from './people'

/** An opened place, and the person whose chats it has. */
export interface OpenedFolder {
  chats: LocalChats
  person: string
}

/**
 * Opens the data folder that the environment names, or its Postgres, in this process.
 *
 * @param options.person an e-mail address or an id, as `findPerson` takes it
 * @throws FolderServedError when a server has the folder; CommandError when another process has; of `findPerson`
 */
export async function openLocal(
  env: Readonly<Record<string, string | undefined>>,
  {
    place,
    person: named,
    formerPerson,
    tell,
  }: {
    place: string
    person: string | undefined
    /** the person of an earlier command, for a command without a name on a machine without a single owner */
    formerPerson: string | undefined
    /** takes the line of an error after which the command continues */
    tell(line: string): void
  },
): Promise<OpenedFolder> {
  const dataDir = env.RAMIFY_DATA_DIR || '.data'
  const isServed = !env.DATABASE_URL && serverOf(dataDir) !== undefined
  // a server does not leave the folder in a moment, as another command does
  const patience = isServed ? { patience: 0 } : {}
  const services = await createServices(env, { brief: true, ...patience }).catch((error: unknown) => {
    throw error instanceof FolderInUseError ? inUse(dataDir) : error
  })
  const release = () => services.database.close()
  try {
    const owner = named === undefined ? await services.owner.find() : undefined
    const { id } = owner ?? (await findPerson(services.database, named ?? formerPerson))
    // a server logs whole errors; here they end on a person's screen
    const logError = (what: string, error: unknown) =>
      tell(`${what}: ${error instanceof Error ? sayingOf(error) : 'it failed'}`)
    const ports = { ...services.ports, logError }
    return { chats: new LocalChats({ ports, remotes: services.remotes }, id, { place, release }), person: id }
  } catch (error) {
    await release()
    throw error
  }
}

/** A server has the folder open. */
export class FolderServedError extends CommandError {
  override readonly name = 'FolderServedError'

  constructor(
    readonly address: string,
    message: string,
  ) {
    super(message)
  }
}

function inUse(dataDir: string): CommandError {
  const address = serverOf(dataDir)
  const opened = `The folder ${dataDir} is open in another Ramify process, and an embedded database belongs to one at a time.`
  if (!address) return new CommandError(`${opened} Wait for its end, or stop it.`)
  return new FolderServedError(
    address,
    `${opened} It is the server at ${address}: ask that one instead. Make a key at ${address}/settings/keys, then
  RAMIFY_SERVER=${address} RAMIFY_API_KEY=… ramify …`,
  )
}

/** Key for remembering the current chat of a folder or a database; it holds no password. */
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
