import { commonWords } from './common-words'

export const SHORTEST_PASSWORD = 10
export const LONGEST_PASSWORD = 128

/** The least length of a password without its guessable parts. */
const ENOUGH = 6

/**
 * Why a password is too easy to guess, as a sentence to show; undefined for a good one. Guessable are common
 * words with digits, signs and the usual disguises around them, sequences of the keyboard and the alphabet, repetitions,
 * and the account's own e-mail address or name.
 */
export function weaknessOf(
  password: string,
  own: { email?: string; name?: string } = {},
): string | undefined {
  if ([...password].length < SHORTEST_PASSWORD) {
    return `A password has ${SHORTEST_PASSWORD} characters or more.`
  }
  if (password.length > LONGEST_PASSWORD) return `A password has ${LONGEST_PASSWORD} characters at most.`
  const plain = password.normalize('NFKC').toLowerCase()
  if (isMonotonous(plain) || remainderOf(plain, commonWords) < ENOUGH) {
    return 'This password is among the first that are guessed. Take several words that do not belong together.'
  }
  const [local = ''] = (own.email ?? '').toLowerCase().split('@')
  const names = [local, ...local.split(/[._+-]/), ...(own.name ?? '').toLowerCase().split(/\s+/)]
  const telling = names.filter((name) => name.length >= 3)
  if (telling.length > 0 && remainderOf(plain, [...commonWords, ...telling]) < ENOUGH) {
    return 'This password says little more than your name or e-mail address. Take several words that do not belong together.'
  }
  return undefined
}

/**
 * Counts the letters and digits that remain without words, years, sequences and repetitions, disguised or
 * not.
 */
function remainderOf(plain: string, words: readonly string[]): number {
  const longest = [...new Set(words)].sort((a, b) => b.length - a.length)
  const bare = plain.replace(/[^\p{L}\p{N}]/gu, '')
  const rest = [plain, undisguised(plain), bare].map((text) => {
    let left = text
    for (const word of longest) left = left.replaceAll(word, ' ')
    return tokensOf(left).length
  })
  return Math.min(...rest)
}

/** `p@ssw0rd` as `password`. */
const disguises: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '9': 'g',
  '@': 'a',
  $: 's',
  '!': 'i',
  '€': 'e',
  '|': 'l',
  '+': 't',
}
const undisguised = (text: string): string => [...text].map((sign) => disguises[sign] ?? sign).join('')

const sequences = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890123456789',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  'q1w2e3r4t5y6u7i8o9p0',
]
const backwards = sequences.map((sequence) => [...sequence].reverse().join(''))

/** The letters and digits outside sequences of three or more, repetitions, and numbers, which are quick to guess. */
function tokensOf(text: string): string {
  let left = ''
  for (let at = 0; at < text.length; ) {
    const length = sequenceAt(text, at)
    if (length < 3) left += text[at]
    at += length < 3 ? 1 : length
  }
  const signs = left.replace(/(.+?)\1{2,}/g, '$1').replace(/[^\p{L}\p{N}]/gu, '')
  // a year or a short number after a word is guessed first
  return signs.replace(/\d{1,8}$/, '').replace(/^\d{1,8}/, '')
}

function sequenceAt(text: string, at: number): number {
  let length = 1
  while (
    at + length < text.length &&
    [...sequences, ...backwards].some((sequence) => sequence.includes(text.slice(at, at + length + 1)))
  )
    length += 1
  return length
}

/** Few different characters, or one short piece again and again. */
function isMonotonous(plain: string): boolean {
  if (new Set(plain).size <= 3) return true
  return /^(.{1,8}?)\1+.{0,3}$/.test(plain) && new Set(plain).size <= 8
}
