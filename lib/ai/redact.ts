/** Texts that are replaced, and their replacements; a text that is returned as it is stays. */
type Secret = readonly [pattern: RegExp, replaced: (found: string) => string]

const hidden = () => '[hidden]'

const wordsOfBearer =
  'tokens?|auth|authentication|authorization|scheme|header|credentials?|keys?|prefix|type|realm|format|is|was|are|not|or|and|in|as|must|required|missing|expected|invalid'

const secrets: readonly Secret[] = [
  // not the words that follow it in a sentence: "Bearer token is missing"
  [new RegExp(`\\b[Bb](?:earer|EARER)\\s+(?!(?:${wordsOfBearer})[.,;:'")]*(?:\\s|$))\\S+`, 'g'), hidden],
  [/\b(?:sk|gsk|xai|ghp|hf)[-_][\w*.-]{4,}/gi, hidden],
  [/\b(?:pk|rk|key)[-_](?=[\w*.-]*[\dA-Z*])[\w*.-]{4,}/g, hidden],
  [/\bAIza[\w-]{10,}/g, hidden],
  [/\b[\w-]*(?:secret|password)[\w-]*["']?\s*[=:]\s*\S+/gi, hidden],
  // not a count of tokens, and not a word about one: "max_tokens: 4096", "Invalid token: comma"
  [
    /\b[\w-]*(?:api[ _-]?key|token)[\w-]*["']?\s*[=:]\s*(?!["']?(?:[\d.,]+|[a-z]{1,12})["']?[.,;:})\]]*(?:\s|$))\S+/gi,
    hidden,
  ],
  // No secret format is complete: anything long, unbroken and mixed is treated as one.
  [/\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{28,}/g, (found) => (isName(found) ? found : '[hidden]')],
]

/** Tells whether a long word is a name, of a model for example: words and short numbers between its dashes. */
const isName = (found: string): boolean =>
  found
    .split(/[-_]/)
    .every((word) => /^(?:[A-Za-z]{0,14}|\d{1,8}|[a-zA-Z]?\d{1,3}[a-zA-Z]{0,2}(?:\d[a-zA-Z])?)$/.test(word))

const addresses =
  /\b[a-z][a-z\d+.-]*:\/\/\S+|\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b|(?<![\w.])(?:\/[\w.@-]+){3,}\S*/gi

/** Keys that were used last, the latest at the end: one of a private server may look like any word. */
const used = new Set<string>()
const MOST_USED = 500
/** A shorter text is a word of other texts too: a person could hide it from everyone by saving it as a key. */
const SHORTEST = 16

/**
 * Hides a key by its value from now on, whatever it looks like: a key that a provider has accepted, of 16 characters
 * or more. The 500 keys used last are known.
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
  return secrets.reduce((left, [pattern, replaced]) => left.replace(pattern, replaced), safe)
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
