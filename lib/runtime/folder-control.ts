import { randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { z } from 'zod'
import { type Database, makePrivateFile } from '@/lib/db'
import { copyFolderOf } from './folder-copies'

// The process that has the embedded database open works for the others, which cannot open it: it listens on a
// port of this machine alone, and takes requests that carry a secret of the data folder, which only the
// folder's owner can read. A socket in the folder would need no port, but its path may be too long, and not
// every file system has sockets.

const control = z.object({
  port: z.int().min(1).max(65_535),
  secret: z.string().min(32),
  /** the server's public address; absent in a process that is not a server */
  address: z.string().optional(),
})

const controlFile = (dataDir: string): string => path.join(dataDir, 'control.json')

/** The running server cannot be asked. */
class NoControlError extends Error {
  override readonly name = 'NoControlError'
}

/**
 * Has commands ask this process for a copy of its database, until the returned function is called or the process ends.
 *
 * @param address where a browser reaches this process, for commands that have to ask it instead of the folder
 */
export async function listenForCommands(
  database: Pick<Database, 'copyTo'>,
  dataDir: string,
  logError: (what: string, error: unknown) => void,
  address?: string,
): Promise<() => void> {
  const secret = randomBytes(32).toString('base64url')
  let copying = false

  const answer = async (asked: IncomingMessage, response: ServerResponse) => {
    const id = /^\/copies\/([0-9a-f-]{36})$/.exec(asked.url ?? '')?.[1]
    if (!isAllowed(asked, secret) || asked.method !== 'POST' || !id || !database.copyTo) {
      return end(response, 404, 'Nothing is here.')
    }
    if (copying) return end(response, 409, 'Another backup is being made: wait for its end.')
    copying = true
    const left = new AbortController()
    response.once('close', () => left.abort(new Error('The command has ended.')))
    try {
      await database.copyTo(copyFolderOf(dataDir, id), left.signal)
      end(response, 200, 'The copy is whole.')
    } catch (error) {
      if (!left.signal.aborted) logError('copying the database for a backup', error)
      const { code, message } = error as NodeJS.ErrnoException
      end(response, 500, code === 'ENOSPC' ? 'The disk is full.' : message)
    } finally {
      copying = false
    }
  }

  const server = createServer((asked, response) => void answer(asked, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // it keeps no process alive
  server.unref()
  const file = controlFile(dataDir)
  makePrivateFile(file)
  writeFileSync(file, JSON.stringify({ port: (server.address() as AddressInfo).port, secret, address }))
  const close = () => {
    process.off('exit', close)
    server.close()
    rmSync(file, { force: true })
  }
  process.once('exit', close)
  return close
}

function isAllowed({ headers }: IncomingMessage, secret: string): boolean {
  const given = Buffer.from(headers.authorization ?? '')
  const wanted = Buffer.from(`Bearer ${secret}`)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

function end(response: ServerResponse, status: number, text: string): void {
  if (response.destroyed) return
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text)
}

/**
 * Has the process that holds the data folder copy its database to a folder that was made for it.
 *
 * @param id names the folder
 * @throws NoControlError when that process cannot be asked, or cannot do it; the message says why
 */
export async function askForCopy(dataDir: string, id: string, signal: AbortSignal): Promise<void> {
  const { port, secret } = readControl(dataDir)
  // no fetch: it gives up when headers take five minutes
  const asking = request({
    host: '127.0.0.1',
    port,
    method: 'POST',
    path: `/copies/${id}`,
    signal,
    headers: { authorization: `Bearer ${secret}` },
  })
  asking.end()
  const [response] = (await once(asking, 'response').catch((error: unknown) => {
    if (signal.aborted) throw signal.reason
    throw unreachable(dataDir, error)
  })) as [IncomingMessage]
  let text = ''
  for await (const part of response.setEncoding('utf8')) text += part
  if (response.statusCode !== 200) throw new NoControlError(`The server could not copy its database: ${text}`)
}

/** The address of the server that has a data folder open; undefined when none says so. */
export function serverOf(dataDir: string): string | undefined {
  try {
    return readControl(dataDir).address
  } catch (error) {
    if (error instanceof NoControlError) return undefined
    throw error
  }
}

function readControl(dataDir: string): z.infer<typeof control> {
  try {
    return control.parse(JSON.parse(readFileSync(controlFile(dataDir), 'utf8')))
  } catch (error) {
    throw unreachable(dataDir, error)
  }
}

const unreachable = (dataDir: string, cause: unknown): NoControlError =>
  new NoControlError(
    `The data folder ${dataDir} is in use by a process that cannot be asked for a copy (a command that is still running, or a server of an earlier version): wait for it, or stop it.`,
    { cause },
  )
