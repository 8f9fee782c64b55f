/** Scripts whose characters are words or syllables: about a token each. */
const IDEOGRAPHIC =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u

const LATIN = 0.25
const OTHER_ALPHABET = 0.5
const IDEOGRAM = 1
const ASTRAL = 2

/**
 * About how many tokens a model counts for a text, without its tokenizer: an estimate, not a bill.
 *
 * Per character: 1/4 token for Latin letters, digits, spaces and punctuation (the usual “four characters a token”),
 * 1/2 for other alphabets (Greek, Cyrillic, Arabic, Thai…), 1 for Chinese, Japanese and Korean, 2 for emoji and
 * other characters beyond the basic plane that are not ideograms. The sum is rounded up.
 *
 * @example estimateTokens('Hello, world') // 3
 * @example estimateTokens('你好') // 2
 */
export function estimateTokens(text: string | readonly string[]): number {
  const texts = typeof text === 'string' ? [text] : text
  let tokens = 0
  for (const part of texts) {
    for (const character of part) tokens += weight(character)
  }
  return Math.ceil(tokens)
}

function weight(character: string): number {
  // Up to U+024F is Latin; general punctuation (dashes, curly quotes) counts like it.
  if (character < '\u0250' || (character >= '\u2000' && character < '\u2070')) return LATIN
  if (IDEOGRAPHIC.test(character)) return IDEOGRAM
  return character.length > 1 ? ASTRAL : OTHER_ALPHABET
}
