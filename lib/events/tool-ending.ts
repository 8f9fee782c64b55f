import { counted } from './counted'
import { commandIn, isObject, oneLine, parsedText, READ, saidLine } from './tool-text'

export interface StepEnding {
  /** `open`: without an answer so far; `waits`: for a person */
  state: 'open' | 'waits' | 'done' | 'failed'
  /** why it failed, or a short result; empty where its state says enough */
  ending: string
}

/** Letters of an ending. */
const ENDING = 40
/** Letters of a result that stands for itself; a longer one is counted or only marked. */
const RESULT = 24

/** The ending of a tool's call. */
export function stepEnding(part: Record<string, unknown>): StepEnding {
  const ending = toldEnding(part)
  if (ending.ending !== 'exit 1') return ending
  return answerOfCommand(part) ?? ending
}

/**
 * Programs that answer a question by their exit code: 1 is "no", and only a greater one a failure. With the words for
 * 1.
 */
const answering: readonly [RegExp, string][] = [
  [/^(?:git grep|z?[ef]?grep|rg|ag|ack|findstr|pgrep|Select-String)$/i, 'no match'],
  [/^(?:diff|cmp|git diff)$/, 'differs'],
  [/^(?:test|\[|\[\[|git (?:merge-base|show-ref|check-ignore|ls-files)|expr)$/, 'no'],
  [/^(?:which|type|hash|command)$/, 'not found'],
]

/** Said of a command whose exit code 1 is its answer; undefined where it tells of a failure. */
function answerOfCommand(part: Record<string, unknown>): StepEnding | undefined {
  const command = commandIn(parsedText(part.input ?? part.rawInput))
  const last = command === undefined ? undefined : lastProgram(command)
  const [, ending] = answering.find(([program]) => last !== undefined && program.test(last)) ?? []
  if (ending === undefined) return undefined
  const printed = textsIn(parsedText(part.errorText ?? part.output), 0).flatMap((text) =>
    text.slice(-READ).split('\n'),
  )
  // the lines of a comparison begin with a mark
  const failed = printed.some((line) => !/^[-+<>@ ]/.test(line) && failures.some((each) => each.test(line)))
  return failed ? undefined : { state: 'done', ending }
}

/** The program whose exit code a line of commands ends with, with the verb of `git`. */
function lastProgram(command: string): string | undefined {
  // text in quotes may hold any sign
  const plain = command.replace(/\\.|"(?:[^"\\]|\\.)*"|'[^']*'/gs, '_')
  const last = plain
    .split(/&&|\|\||[;|\n]/)
    .map((each) => each.trim())
    .findLast((each) => each !== '' && !each.startsWith('#'))
  const words = (last ?? '')
    .replace(/^(?:(?:\w+=\S*|!|time|sudo|env|if|then|\()\s+)+/, '')
    .split(/\s+/)
    .filter((word) => word !== '')
  const [program = '', verb = ''] = words
  const name = program.split('/').at(-1) ?? ''
  return name === 'git' ? `git ${verb}` : name
}

/** The texts of a result. */
function textsIn(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return [value]
  if (depth > DEPTH || typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap((each) => textsIn(each, depth + 1))
}

function toldEnding(part: Record<string, unknown>): StepEnding {
  const { state, approval, output, errorText } = part
  if (state === 'approval-requested') return { state: 'waits', ending: 'waits for you' }
  if (state === 'output-denied' || (isObject(approval) && approval.approved === false)) return denied
  if (state === 'output-error') return failed(parsedText(errorText ?? output))
  if (state !== 'output-available') return { state: 'open', ending: '' }
  return endingOf(parsedText(output), 0)
}

const denied: StepEnding = { state: 'failed', ending: 'not allowed' }

/** Objects in objects that are looked into for a result. */
const DEPTH = 4

function endingOf(output: unknown, depth: number): StepEnding {
  if (depth > DEPTH || output === null || output === undefined) return { state: 'done', ending: '' }
  if (typeof output === 'string') return endingOfText(output)
  if (typeof output !== 'object') return { state: 'done', ending: oneLine(String(output), RESULT) }
  const values = output as Record<string, unknown>
  if (Array.isArray(output)) {
    const refused = output.find((item) => isObject(item) && (item.success === false || item.isError === true))
    if (refused) return failed(refused.error ?? refused.result ?? resultIn(refused))
  }
  const code = exitCode(values)
  const text = resultIn(output)
  const says = text === undefined ? undefined : endingOf(parsedText(text), depth + 1)
  if (values.isError === true || values.is_error === true) return failed(text ?? values.error)
  if (code !== undefined && code !== 0) return { state: 'failed', ending: `exit ${code}` }
  if (values.timedOut === true || values.timed_out === true) return { state: 'failed', ending: 'timed out' }
  const error = values.error ?? (values.success === false || values.ok === false ? values.message : undefined)
  if (values.success === false || values.ok === false || (error && typeof error !== 'number'))
    return failed(error ?? text)
  // a command that says of itself that all went well may print anything
  if (code === 0) return { state: 'done', ending: says?.state === 'done' ? says.ending : '' }
  if (says) return says
  if (Array.isArray(output)) return { state: 'done', ending: counted(output.length, 'result') }
  const numbers = Object.values(values).filter((value) => typeof value === 'number')
  const [number] = numbers
  if (number !== undefined && numbers.length === 1) return { state: 'done', ending: String(number) }
  const lists = Object.values(values).filter(Array.isArray)
  const [list] = lists
  if (list && lists.length === 1) return { state: 'done', ending: counted(list.length, 'result') }
  return { state: 'done', ending: '' }
}

/** The text in a result: of one part, or of the parts of a message. */
function resultIn(output: object): string | undefined {
  if (Array.isArray(output)) {
    const texts = output.flatMap((item) =>
      isObject(item) && item.type === 'text' && typeof item.text === 'string' ? [item.text] : [],
    )
    return output.length > 0 && texts.length === output.length ? texts.join('\n') : undefined
  }
  const { text, value, content, output: inner, result, stdout, stderr } = output as Record<string, unknown>
  for (const found of [text, value, content, inner, result, stdout || stderr]) {
    if (typeof found === 'string') return found
    const within = isObject(found) ? resultIn(found) : undefined
    if (within !== undefined) return within
  }
  return undefined
}

/** Exit code of a command, where the answer has one. */
function exitCode(values: Record<string, unknown>): number | undefined {
  const { exitCode: camel, exit_code: snake, returncode, exit_status, metadata } = values
  const code = [camel, snake, returncode, exit_status].find((value) => typeof value === 'number')
  if (typeof code === 'number') return code
  return isObject(metadata) ? exitCode(metadata) : undefined
}

const exits =
  /^\W{0,3}(?:process |command )?(?:exit(?:ed)?(?: with)?(?: (?:code|status))|exit_code|returned)\b[\s:=]*(-?\d+)/i
/** Some tell the exit code after all that the command has printed. */
const exitAtEnd = /^Exit Code: (-?\d+)\s*$/m
/** Letters at the end of a result in which its exit code is looked for. */
const LAST = 200
/** A result that begins with one of these tells of a failure. */
const failures = [
  /^(?:\w*(?:error|exception)|fatal|panic|failed|failure|denied|traceback|unauthorized|forbidden|aborted)\b\s*(?:[:([!.]|$)/i,
  /^(?:error|failed|failure|could not|couldn't|cannot|can't|unable to)\s/i,
  /^traceback \(most recent call last\)/i,
  /^(?:<tool_use_error>|\[error\]|✗|✕|❌)/i,
  /\b(?:no such file or directory|command not found|permission denied|operation not permitted|ENOENT|EACCES)\b/i,
  /\b[1-9]\d*\s+(?:tests?|specs?|checks?|suites?|errors?)?\s*failed\b/i,
]

function endingOfText(text: string): StepEnding {
  const beginning = text.slice(0, READ)
  const line = saidLine(beginning).trim()
  for (const each of beginning.split('\n', 4)) {
    const code = exits.exec(each)?.[1]
    if (code !== undefined && Number(code) !== 0) return { state: 'failed', ending: `exit ${Number(code)}` }
    if (code !== undefined) return { state: 'done', ending: '' }
  }
  const code = exitAtEnd.exec(text.slice(-LAST))?.[1]
  if (code !== undefined)
    return Number(code) === 0
      ? { state: 'done', ending: '' }
      : { state: 'failed', ending: `exit ${Number(code)}` }
  // a line of source with its number may hold any word
  if (line.length <= 300 && failures.some((failure) => failure.test(line))) return failed(beginning)
  const lines = lineCount(text)
  if (lines > 1) return { state: 'done', ending: counted(lines, 'line') }
  const result = oneLine(line, RESULT)
  return {
    state: 'done',
    ending: result.endsWith('…') || /^(?:ok|done|success)\W?$/i.test(result) ? '' : result,
  }
}

function failed(reason: unknown): StepEnding {
  return { state: 'failed', ending: reasonOf(parsedText(reason), 0) }
}

/** Reasons that programs say in many ways, in one. */
const reasons: readonly [RegExp, string][] = [
  [/\bno such file or directory\b|\bENOENT\b/i, 'no such file'],
  [/\bpermission denied\b|\bEACCES\b/i, 'permission denied'],
  [/\bcommand not found\b/i, 'command not found'],
  [/\btimed[ -]?out\b|\bETIMEDOUT\b/i, 'timed out'],
  [
    /\b(?:denied|rejected|declined|doesn't want to (?:proceed|take this action))\b.*\b(?:tool|user)\b|\btool .*\b(?:denied|rejected)\b|\buser (?:denied|rejected|declined|doesn't want)/i,
    'not allowed',
  ],
]

function reasonOf(reason: unknown, depth: number): string {
  if (depth > DEPTH || reason === null || reason === undefined) return ''
  if (typeof reason === 'object') {
    const { message, error, detail, reason: why } = reason as Record<string, unknown>
    return reasonOf(message ?? error ?? detail ?? why ?? resultIn(reason), depth + 1)
  }
  const text = String(reason).slice(0, READ)
  const code = exits.exec(text)?.[1]
  if (code !== undefined) return `exit ${Number(code)}`
  const words = /^traceback/i.test(text.trim()) ? lastLine(text) : saidLine(text)
  const known = reasons.find(([pattern]) => pattern.test(words))
  if (known) return known[1]
  const plain = words
    .replace(/<\/?\w+>/g, '')
    .replace(/^(?:\s*(?:[✗✕❌]|\[?(?:error|exception|fatal|failure)\]?)\s*:?(?=\s|$))+\s*/i, '')
  return oneLine(plain, ENDING)
}

const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? ''

/** The lines of a text, without empty ones at its end. */
function lineCount(text: string): number {
  const end = text.trimEnd()
  let count = 1
  for (let at = end.indexOf('\n'); at !== -1; at = end.indexOf('\n', at + 1)) count++
  return count
}
