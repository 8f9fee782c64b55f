import { PGlite } from '@electric-sql/pglite'

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
    ...(load && { loadDataDir: load }),
    ...(brief && { startParams: [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB'] }),
  })
}
