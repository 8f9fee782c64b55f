import type postgres from 'postgres'

/** The type of `text[]`; Postgres numbers its own types the same everywhere. */
const TEXTS = 1009

/** How each of our connections behaves, whatever it is for. */
export const postgresOptions = {
  onnotice: () => undefined,
  // the types of a server's arrays are asked for with every new connection, by nobody who could be told that it broke
  // meanwhile: that would end the process
  fetch_types: false,
  types: { texts: { to: TEXTS, from: [TEXTS], serialize: arrayOf, parse: (text: string) => text } },
  // the driver's own pauses grow to 20 s, and are waited for when the database is back already
  backoff: () => 0.1 + Math.random() * 0.2,
  // nothing else goes here: poolers refuse every parameter that they do not keep track of themselves
  connection: { application_name: 'ramify' },
} satisfies postgres.Options<Record<string, postgres.PostgresType>>

/** Texts as Postgres writes an array of them. */
function arrayOf(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`
}
