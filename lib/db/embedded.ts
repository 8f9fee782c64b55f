import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { PGlite, types } from '@electric-sql/pglite'

/** Bytes as PostgreSQL writes them: the package's own way takes ten times as long, and holds the process meanwhile. */
const bytes = {
  serializers: { [types.BYTEA]: (value: Uint8Array) => `\\x${bufferOf(value).toString('hex')}` },
  parsers: { [types.BYTEA]: (text: string) => Buffer.from(text.slice(2), 'hex') },
}

const bufferOf = (value: Uint8Array) => Buffer.from(value.buffer, value.byteOffset, value.byteLength)

/**
 * Starts the embedded server, with 64 MB of buffers: it fills them with zeros first, and they stay in memory. A folder whose
 * `postgresql.conf` says another size than initdb does keeps it.
 *
 * @param options.brief for one command: it starts sooner, with 16 MB
 */
export function startEmbedded(
  dataDir: string,
  { brief = false }: { brief?: boolean | undefined } = {},
): Promise<PGlite> {
  const buffers = brief ? '16MB' : ownBuffers(dataDir) ? undefined : '64MB'
  return PGlite.create(dataDir, {
    serializers: bytes.serializers,
    parsers: bytes.parsers,
    ...(buffers && { startParams: [...PGlite.defaultStartParams, '-c', `shared_buffers=${buffers}`] }),
  })
}

/** True for a folder that names a size of buffers of its own; the last one that it names counts. */
function ownBuffers(folder: string): boolean {
  const settings = path.join(folder, 'postgresql.conf')
  if (!existsSync(settings)) return false
  const named = readFileSync(settings, 'utf8').matchAll(/^shared_buffers = '?(\w+)/gm)
  return (Array.from(named).at(-1)?.[1] ?? '128MB') !== '128MB'
}
