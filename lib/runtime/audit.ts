import { createHash } from 'node:crypto'

/**
 * Events for an operator's audit log: a person's action and its address. Never a secret, never the text of a
 * message.
 */
export const auditEvents = [
  'sign_in',
  'sign_in_failed',
  'sign_up',
  'sign_out',
  'sessions_ended',
  'key_made',
  'key_first_used',
  'key_revoked',
  'app_registered',
  'app_connected',
  'app_disconnected',
  'app_token_reused',
  'provider_key_saved',
  'provider_key_removed',
  'tool_server_added',
  'tool_server_removed',
  'remote_added',
  'remote_removed',
  'access_refused',
  'quota_hit',
  'chat_deleted',
  'chat_shared',
  'share_revoked',
  'share_copied',
  'member_invited',
  'member_changed',
  'member_removed',
  'invitation_taken',
  'account_linked',
  'account_deleted',
  'email_changed',
  'password_changed',
  'password_reset',
  'reset_asked',
  'passkey_added',
  'passkey_removed',
] as const

export type AuditEvent = (typeof auditEvents)[number]

/**
 * Values of an audit line; undefined ones are left out. The usual names: `person` (an id), `address`, `credential`
 * (`session`, `key` or `app`), `email`, `chat`, `key`.
 */
export type AuditFields = Readonly<Record<string, string | number | boolean | undefined>>

/** Characters kept of a value, and values of a line. */
const LONGEST = 200
const MOST = 20

/**
 * Writes one line of JSON to the process's output: `{"audit": event, "at": ISO 8601, ...fields}`. Input
 * cannot make it two lines, move a terminal's cursor, or make it long. A short hash replaces an e-mail address, the same
 * for the same address; keys are left out.
 */
export function audit(event: AuditEvent, fields: AuditFields): void {
  const kept = Object.entries(fields)
    .filter(([name, value]) => value !== undefined && name !== 'audit' && name !== 'at')
    .slice(0, MOST)
    .map(([name, value]) => [name, typeof value === 'string' ? told(value) : value])
  const line = JSON.stringify({ audit: event, at: new Date().toISOString(), ...Object.fromEntries(kept) })
  console.log(line.replace(/[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}]/gu, escaped))
}

/** A short name for an account, from its e-mail address in any case: for counting, and for the log. */
export const accountMark = (email: string): string =>
  createHash('sha256').update(email.trim().toLowerCase()).digest('hex').slice(0, 16)

const marked = (email: string): string => `email:${accountMark(email)}`

function told(value: string): string {
  const text = value.slice(0, LONGEST)
  if (/^[^\s@]+@[^\s@]+$/.test(value.trim())) return marked(value)
  return text
    .replace(/[^\s@<>"]+@[^\s@<>"]+/g, marked)
    .replace(/\br[ckors]_[\w-]+/g, '[key]')
    .replace(/\bbearer\s+\S+/gi, '[key]')
}

/** Characters as JSON escapes. */
const escaped = (character: string): string =>
  [...Array(character.length).keys()]
    .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('')
