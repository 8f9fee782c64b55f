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

/** Values of an audit line; undefined ones are left out. */
export type AuditFields = Readonly<Record<string, string | number | boolean | undefined>>

/** Writes one line of JSON to the process's output: `{"audit": event, "at": ISO 8601, ...fields}`. */
export function audit(event: AuditEvent, fields: AuditFields): void {
  console.log(JSON.stringify({ audit: event, at: new Date().toISOString(), ...fields }))
}
