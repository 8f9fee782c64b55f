import postgres from 'postgres'
import { postgresOptions } from './postgres-options'

/** Who hears what other processes say through Postgres. */
export interface PostgresListener {
  listen(channel: string, onPayload: (payload: string) => void): Promise<() => Promise<void>>
  close(): Promise<void>
}

/**
 * Hears over a connection of its own, made with the first `listen` and made again by itself when it breaks. `url` must
 * lead to the server: a transaction pooler lends a connection for one statement, and nobody would be told.
 */
export function openListener(url: string): PostgresListener {
  const sql = postgres(url, { ...postgresOptions, max: 1 })
  return {
    async listen(channel, onPayload) {
      const { unlisten } = await sql.listen(channel, onPayload)
      return async () => {
        await unlisten()
      }
    },
    close: () => sql.end({ timeout: 5 }),
  }
}
