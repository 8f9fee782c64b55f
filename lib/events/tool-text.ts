import { cutTitle } from './title-words'

/** Units of a text that are read: a tool may be called with megabytes, and answer with more. */
export const READ = 2000

/** The first line that says something. */
export function saidLine(text: string): string {
  const lines = text.slice(0, READ).split(/[\r\n\u2028\u2029]/)
  return lines.find((line) => line.trim() !== '') ?? ''
}

/** A value that came as JSON; a text that is no JSON stays a text. */
export function parsedText(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value) || value.length > 100_000) return value
  try {
    return JSON.parse(value)
  } catch (error) {
    // half of an object while it streams in
    if (error instanceof SyntaxError) return value
    throw error
  }
}

/**
 * Characters that no line shows: control characters, invisible ones, and marks that turn the direction of the text
 * around it.
 */
const unseen = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028\u2029\u2060\ufeff\u202a-\u202e\u2066-\u2069]/gu
/** More marks above a letter than any language writes. */
const surplusMarks = /(\p{M}{4})\p{M}+/gu

/** Text on one line, at most `width` letters wide, without signs that hide or turn the text beside it. */
export function oneLine(text: string, width: number): string {
  const line = text
    .slice(0, READ)
    .toWellFormed()
    .replace(/\s+/gu, ' ')
    .replace(unseen, '')
    .replace(surplusMarks, '$1')
    .trim()
  return cutTitle(line, width)
}

/** True for an object with fields, and for a list: a tool may answer with either. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** The type that a value says of itself. */
export const typeIn = (value: unknown): string | undefined =>
  isObject(value) && typeof value.type === 'string' ? value.type : undefined

/** The command that a tool is called with, whole; undefined where it is called with none. */
export function commandIn(input: unknown): string | undefined {
  if (typeof input === 'string') return scriptedCommand(input)
  if (!isObject(input)) return undefined
  const { command, cmd, commands, script, commandLine, CommandLine } = input
  const found = [command, cmd, commands, script, commandLine, CommandLine].find((each) => each !== undefined)
  if (typeof found === 'string') return found
  if (!Array.isArray(found) || !found.every((word) => typeof word === 'string')) return undefined
  return commands === found ? found.at(-1) : commandOfWords(found)
}

/** The command in a script of Codex: `tools.exec_command({"cmd": "npm test"})`. */
function scriptedCommand(script: string): string | undefined {
  const [, text] =
    /\btools\.(?:exec_command|shell|bash)\s*\(\s*\{\s*["']?(?:cmd|command)["']?\s*:\s*("(?:[^"\\\n]|\\.)*")/.exec(
      script.slice(0, 10 * READ),
    ) ?? []
  const command = text === undefined ? undefined : parsedText(`[${text}]`)
  return Array.isArray(command) && typeof command[0] === 'string' ? command[0] : undefined
}

/** `['bash', '-lc', 'npm test']` → `npm test` */
export function commandOfWords(words: readonly string[]): string {
  const [shell = '', flag = '', ...rest] = words
  const isShell = /(?:^|[\\/])(?:ba|z|da|fi)?sh$|powershell|cmd(?:\.exe)?$/i.test(shell) && /^[-/]/.test(flag)
  return (isShell && rest.length > 0 ? rest : words).join(' ').slice(0, READ)
}
