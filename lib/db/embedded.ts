import { PGlite, types } from '@electric-sql/pglite'

/** Bytes as PostgreSQL writes them: the package's own way takes ten times as long, and holds the process meanwhile. */
const bytes = {
  serializers: { [types.BYTEA]: (value: Uint8Array) => `\\x${bufferOf(value).toString('hex')}` },
  parsers: { [types.BYTEA]: (text: string) => Buffer.from(text.slice(2), 'hex') },
}

const bufferOf = (value: Uint8Array) => Buffer.from(value.buffer, value.byteOffset, value.byteLength)

/**
 * Starts the embedded server.
 *
 * @param options.load a dump to begin with
 * @param options.brief for one command: 16 MB of buffers in place of 128, which it fills with zeros for 0.4 s first
 */
export function startEmbedded(
  dataDir: string,
  { load, brief = false }: { load?: Blob | undefined; brief?: boolean | undefined } = {},
): Promise<PGlite> {
  return PGlite.create(dataDir, {
    serializers: bytes.serializers,
    parsers: bytes.parsers,
    ...(load && { loadDataDir: load }),
    ...(brief && { startParams: [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB'] }),
  })
}
