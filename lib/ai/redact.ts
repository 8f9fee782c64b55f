const secrets: readonly RegExp[] = [
  /\bbearer\s+\S+/gi,
  /\b(?:sk|pk|rk|gsk|xai|ghp|key)[-_][\w*.-]{4,}/gi,
  /\bAIza[\w-]{10,}/g,
  /\b[\w-]*(?:api[_-]?key|token|secret|password)[\w-]*["']?\s*[=:]\s*\S+/gi,
  // No secret format is complete: anything long, unbroken and mixed is treated as one.
  /\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{28,}/g,
]
const addresses = /\b[a-z][a-z\d+.-]*:\/\/\S+|\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b|(?:\/[\w.@-]+){3,}\S*/gi

/** Keys that were used last, the latest at the end: one of a private server may look like any word. */
const used = new Set<string>()
const MOST_USED = 500
/** A shorter text is a word of other texts too: a person could hide it from everyone by saving it as a key. */
const SHORTEST = 16

/**
 * Hides a key by its value from now on, whatever it looks like: one that a provider has accepted, of 16 characters or
 * more. The 500 keys used last are known.
 */
export function hideSecret(secret: string): void {
  if (secret.length < SHORTEST) return
  used.delete(secret)
  used.add(secret)
  const [oldest] = used
  if (used.size > MOST_USED && oldest !== undefined) used.delete(oldest)
}

/** A text in which the keys in use, and everything that looks like a key, a token or a password, are hidden. */
export function withoutSecrets(text: string): string {
  let safe = text
  // a key that begins as another does would leave the other's rest
  const longestFirst = [...used].sort((a, b) => b.length - a.length)
  for (const secret of longestFirst) safe = safe.replaceAll(secret, '[hidden]')
  return secrets.reduce((hidden, secret) => hidden.replace(secret, '[hidden]'), safe)
}

/** The first line of a provider's message, short and without keys, addresses or file paths. */
export function redact(text: string): string {
  const [line = ''] = text
    .slice(0, 1000)
    .trim()
    .split(/[\r\n]/, 1)
  const safe = withoutSecrets(line)
    .replace(addresses, '[address]')
    .replace(/\s+/g, ' ')
    .toWellFormed()
    .replaceAll('\0', '\uFFFD')
  return safe.length > 240 ? `${safe.slice(0, 239).toWellFormed()}…` : safe
}
