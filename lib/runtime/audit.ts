import { createHash } from 'node:crypto'

/** What an operator may want to know afterwards: who did what, from where. Never a secret, never what was said. */
export type AuditEvent =
  | 'sign_in'
  | 'sign_in_failed'
  | 'sign_up'
  | 'sign_out'
  | 'sessions_ended'
  | 'key_made'
  | 'key_first_used'
  | 'key_revoked'
  | 'access_refused'
  | 'quota_hit'
  | 'chat_deleted'
  | 'account_linked'

/**
 * Values of an audit line; undefined ones are left out. The usual names: `person` (an id), `address`, `credential`
 * (`session` or `key`), `email`, `chat`, `key`.
 */
export type AuditFields = Readonly<Record<string, string | number | boolean | undefined>>

/** Characters of a value that are kept, and values of a line. */
const LONGEST = 200
const MOST = 20

/**
 * Writes one line of JSON to the process's output: `{"audit": event, "at": ISO 8601, ...fields}`. What is sent to the
 * server cannot make it two lines, move a terminal's cursor, or make it long. E-mail addresses stand as a short hash, the
 * same for the same address; keys are left out.
 */
export function audit(event: AuditEvent, fields: AuditFields): void {
  const kept = Object.entries(fields)
    .filter(([name, value]) => value !== undefined && name !== 'audit' && name !== 'at')
    .slice(0, MOST)
    .map(([name, value]) => [name, typeof value === 'string' ? told(value) : value])
  const line = JSON.stringify({ audit: event, at: new Date().toISOString(), ...Object.fromEntries(kept) })
  console.log(line.replace(/[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}]/gu, escaped))
}

/** A short name for an e-mail address. The same for the same address, in whatever case it is written. */
export const emailHash = (email: string): string =>
  `email:${createHash('sha256').update(email.trim().toLowerCase()).digest('hex').slice(0, 12)}`

function told(value: string): string {
  const text = value.slice(0, LONGEST)
  if (/^[^\s@]+@[^\s@]+$/.test(value.trim())) return emailHash(value)
  return text
    .replace(/[^\s@<>"]+@[^\s@<>"]+/g, (email) => emailHash(email))
    .replace(/\brk_[\w-]+/g, '[key]')
    .replace(/\bbearer\s+\S+/gi, '[key]')
}

/** As JSON writes what it does not take as it is. */
const escaped = (character: string): string =>
  [...Array(character.length).keys()]
    .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('')
