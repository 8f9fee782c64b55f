const secrets: readonly RegExp[] = [
  /\bbearer\s+\S+/gi,
  /\b(?:sk|pk|rk|gsk|xai|ghp|key)[-_][\w*.-]{4,}/gi,
  /\bAIza[\w-]{10,}/g,
  /\b[\w-]*(?:api[_-]?key|token|secret|password)[\w-]*["']?\s*[=:]\s*\S+/gi,
  // No secret format is complete: anything long, unbroken and mixed is treated as one.
  /\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{28,}/g,
]
const addresses = /\b[a-z][a-z\d+.-]*:\/\/\S+|\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b|(?:\/[\w.@-]+){3,}\S*/gi

/** A text in which everything that looks like a key, a token or a password is hidden. */
export const withoutSecrets = (text: string): string =>
  secrets.reduce((safe, secret) => safe.replace(secret, '[hidden]'), text)

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
