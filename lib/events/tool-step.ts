import { type StepEnding, stepEnding } from './tool-ending'
import { commandOfWords, isObject, oneLine, parsedText, READ, saidLine } from './tool-text'

/** One call of a tool as a line of a list: `edit lease22.ts ✕ locked`. */
export interface ToolStep extends StepEnding {
  /** its name without the prefix of a tool server */
  tool: string
  /** the argument that tells calls of this tool apart: a file's name, a command, a query; empty where there is none */
  argument: string
}

/** Letters of an argument. */
const ARGUMENT = 48
/** Letters of the place that is searched. */
const PLACE = 24
/** Letters of a tool's name. */
const NAME = 32

/**
 * A part of a message as a step; null for a part that calls no tool. Both the parts of the AI SDK and calls as providers write
 * them are read. Never throws: a stored message may hold anything.
 *
 * @example
 * stepOf({ type: 'tool-Edit', state: 'output-error', input: { file_path: '/src/lease22.ts' }, errorText: 'Error: locked' })
 * // { tool: 'Edit', argument: 'lease22.ts', state: 'failed', ending: 'locked' }
 */
export function stepOf(part: unknown): ToolStep | null {
  if (!isObject(part)) return null
  const called = isObject(part.function) ? part.function : part
  const name = nameOf(part, called)
  if (name === null) return null
  const input = parsedText(part.input ?? part.rawInput ?? called.arguments)
  return { tool: shownName(name), argument: argumentOf(input), ...stepEnding(part) }
}

/** The steps of a stored message, in their order. */
export const stepsIn = (data: unknown): ToolStep[] =>
  isObject(data) && Array.isArray(data.parts) ? data.parts.flatMap((part) => stepOf(part) ?? []) : []

/** Tools with which clients of agents ask their person something, or wait for a plan to be allowed. */
const asking =
  /^(?:questions?|ask|confirm|ask_?(?:the_?)?(?:user|human|person)(?:_?questions?)?|(?:ask_?)?follow_?up_?questions?|ask_?questions?|request_?user_?input|exit_?plan_?mode|plan_?exit|plan_?mode_?respond)$/i

/** Tells whether a step asks an agent's person, who has not answered so far. */
export const asksPerson = ({ tool, state }: Pick<ToolStep, 'tool' | 'state'>): boolean =>
  state === 'open' && asking.test(tool)

/** A step on one line. */
export const stepLine = ({ tool, argument, state, ending }: ToolStep): string =>
  [tool, argument, stepMarks[state], ending].filter(Boolean).join(' ')

/** The mark before a step's ending; a result needs none, and a call without an answer has none yet. */
const stepMarks: Readonly<Record<ToolStep['state'], string>> = {
  open: '',
  waits: '·',
  done: '✓',
  failed: '✕',
}

/** Several steps on one line: `8 edits, 1 failed`. One step is its own line. */
export function stepsLine(steps: readonly ToolStep[]): string {
  const [first] = steps
  if (first && steps.length === 1) return stepLine(first)
  return countsLine(
    steps.map(({ tool, state }) => ({
      count: 1,
      what: familyOf(tool) ?? tool,
      failed: state === 'failed' ? 1 : 0,
      waiting: state === 'waits' ? 1 : 0,
    })),
  )
}

/** The steps of several lines on one, each as `stepLine` or `stepsLine` wrote it. */
export const sumOfLines = (lines: readonly string[]): string =>
  lines.length === 1 ? (lines[0] ?? '') : countsLine(lines.map(countIn))

interface StepCount {
  count: number
  /** the family of the tools, or the one tool */
  what: string
  failed: number
  waiting: number
}

function countIn(line: string): StepCount {
  const [, many, family, tool, times] =
    /^(?:(\d+) (edits|commands|searches|reads|pages|steps)|(.+) × (\d+))(?:, |$)/.exec(line) ?? []
  const numberOf = (pattern: RegExp): number => Number(pattern.exec(line)?.[1] ?? 0)
  if (many !== undefined || times !== undefined) {
    const count = Number(many ?? times)
    const [failed, waiting] = [numberOf(/, (\d+) failed/), numberOf(/, (\d+) waiting for you/)]
    return { count, what: family ?? tool ?? 'steps', failed, waiting }
  }
  const [name = ''] = line.split(' ')
  const has = (mark: string): number => (line.includes(` ${mark}`) ? 1 : 0)
  return {
    count: 1,
    what: familyOf(name) ?? name,
    failed: has(stepMarks.failed),
    waiting: has(`${stepMarks.waits} waits for you`),
  }
}

function countsLine(counts: readonly StepCount[]): string {
  const sum = (of: 'count' | 'failed' | 'waiting') => counts.reduce((all, { [of]: more }) => all + more, 0)
  const whats = new Set(counts.map(({ what }) => what))
  const [only = ''] = whats
  const isTool = whats.size === 1 && only !== 'steps' && !families.some(([family]) => family === only)
  const count = sum('count')
  if (count === 0) return ''
  const said = [
    isTool ? `${only} × ${count}` : `${count} ${whats.size === 1 ? only : 'steps'}`,
    sum('failed') > 0 && `${sum('failed')} failed`,
    sum('waiting') > 0 && `${sum('waiting')} waiting for you`,
  ]
  return said.filter(Boolean).join(', ')
}

/** Words in the names of tools that do the same for different agents, in the order in which a name is looked at. */
const families: readonly [string, ReadonlySet<string>][] = [
  ['edits', new Set(['edit', 'multiedit', 'write', 'patch', 'replace'])],
  ['commands', new Set(['bash', 'shell', 'exec', 'terminal', 'command', 'cmd', 'powershell'])],
  ['searches', new Set(['grep', 'glob', 'search', 'find', 'websearch', 'codesearch'])],
  ['reads', new Set(['read', 'view', 'cat'])],
  ['pages', new Set(['fetch', 'webfetch', 'browse', 'navigate'])],
]

function familyOf(tool: string): string | undefined {
  const words = tool
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .split(/[^a-z]+/)
  return families.find(([, names]) => words.some((word) => names.has(word)))?.[0]
}

function nameOf(part: Record<string, unknown>, called: Record<string, unknown>): string | null {
  const { type } = part
  if (type === 'dynamic-tool') return typeof part.toolName === 'string' ? part.toolName : 'tool'
  if (typeof type !== 'string') return null
  const isCall = /^(?:tool[-_](?:use|call)|function(?:_call)?|custom_tool_call)$/.test(type)
  const { toolName, name } = called
  const given = toolName ?? name
  if (isCall && typeof given === 'string') return given
  return type.startsWith('tool-') ? type.slice('tool-'.length) : null
}

/** `mcp__github__create_issue` → `github create_issue` */
function shownName(name: string): string {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/s.exec(name) ?? []
  return oneLine(tool === undefined ? name : `${server} ${tool}`, NAME) || 'tool'
}

interface Named {
  key: string
  text: string
}

/**
 * Names of arguments, without their case and their joints, by their meaning; earlier ones tell more than later ones.
 */
const telling: readonly [RegExp, (text: string) => string][] = [
  [/^(?:commands?|cmd|script|commandline)$/, commandOf],
  [
    /^(?:pattern|regex|glob|globpattern|query|queries|q|search|searchterm|searchquery|sql|expression)$/,
    saidLine,
  ],
  [/^(?:url|urls|uri|href|link)$/, addressOf],
  [/^(?:\w*(?:file|filename|filepath)s?|notebookpath)$/, baseName],
  [/^(?:\w*(?:path|paths|dir|directory)|folder|cwd)$/, baseName],
  [/^(?:title|name|subject|description|taskname|skill|skillname|summary)$/, saidLine],
  [/^(?:key|question|task|prompt|message)$/, saidLine],
]

/** Names of values that must not stand in a list. */
const secret = /pass(?:word|phrase|code)?$|secret|token|apikey|authorization|credential|cookie|privatekey/

function argumentOf(input: unknown): string {
  if (typeof input === 'string')
    return oneLine(patchedFile(input) ?? scriptedCall(input) ?? saidLine(input), ARGUMENT)
  const plan = plannedIn(input)
  if (plan !== undefined) return plan
  const named = namedTexts(input, '', 0)
  const file = named.find(({ key }) => isFile(key))
  for (const [keys, tell] of telling) {
    const found = named.find(({ key, text }) => keys.test(key) && !(file && isVerb(key, text)))
    const line = found && oneLine(tell(found.text), ARGUMENT)
    if (found && line) return `${line}${more(named, found)}${within(named, found)}`
  }
  const patch = named.map(({ text }) => patchedFile(text)).find((path) => path !== undefined)
  if (patch !== undefined) return oneLine(patch, ARGUMENT)
  const [shortest] = named
    .filter(({ key }) => !secret.test(key))
    .map(({ text }) => oneLine(saidLine(text), ARGUMENT))
    .filter((text) => text !== '')
    .sort((one, other) => one.length - other.length)
  if (shortest !== undefined) return shortest
  const number = isObject(input) ? Object.values(input).find((value) => typeof value === 'number') : undefined
  return number === undefined ? '' : String(number)
}

/** Names the place that is searched: `foo.*bar in src`. */
function within(named: readonly Named[], found: Named): string {
  if (!/^(?:pattern|regex|glob|globpattern)$/.test(found.key)) return ''
  const place = named.find(({ key }) => /^(?:path|dir|directory|dirpath|folder)$/.test(key))
  const name = place === undefined ? '' : oneLine(baseName(place.text), PLACE)
  return name === '' || name === '.' ? '' : ` in ${name}`
}

/**
 * A list of things to do as how many of them are done: `3 of 5 done`; one of them as what becomes of it: `#2 completed`.
 * Undefined for other arguments.
 */
function plannedIn(input: unknown): string | undefined {
  if (!isObject(input)) return undefined
  const { taskId, status, checklist } = input
  if (typeof taskId === 'string' || typeof taskId === 'number')
    return oneLine(`#${taskId} ${typeof status === 'string' ? status.replaceAll('_', ' ') : ''}`, ARGUMENT)
  if (typeof checklist === 'string') {
    const marks = [...checklist.slice(0, 10 * READ).matchAll(/^\s*[-*] \[([ xX])\]/gm)]
    if (marks.length > 0) return doneOf(marks.map(([, mark]) => mark !== ' '))
  }
  const { todos, plan, tasks, items } = input
  const list = [todos, plan, tasks, items].find(
    (each): each is { status: string }[] =>
      Array.isArray(each) &&
      each.length > 0 &&
      each.every((one) => isObject(one) && typeof one.status === 'string'),
  )
  return list && doneOf(list.map((one) => /^(?:completed?|done)$/i.test(one.status)))
}

const doneOf = (done: readonly boolean[]): string => `${done.filter(Boolean).length} of ${done.length} done`

/** The call that a script of Codex makes first: `tools.exec_command({ cmd: 'npm test' })` is `npm test`. */
function scriptedCall(script: string): string | undefined {
  const [call, name = ''] = /\btools\.(\w+)\s*\(/.exec(script.slice(0, 10 * READ)) ?? []
  if (call === undefined) return undefined
  const given = script.slice(script.indexOf(call), script.indexOf(call) + READ)
  const [, double, single, raw] =
    /\b(?:cmd|command|path|query|pattern|url|message)["']?\s*:\s*(?:"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`([^`]*)`)/.exec(
      given,
    ) ?? []
  const value = double ?? single ?? raw
  if (value === undefined) return name
  const said = saidLine(value.replaceAll(/\\(["'`\\])/g, '$1'))
  return /^(?:exec_command|shell|bash)$/.test(name) ? commandOf(said) : `${name} ${said}`
}

const isFile = (key: string): boolean => /(?:file|path)/.test(key)

/** `command: 'view'` beside a path is the tool's action there, not a command that it runs. */
const isVerb = (key: string, text: string): boolean => key === 'command' && /^[\w-]+$/.test(text)

/** Names the first file of a list, and counts the others. */
function more(named: readonly Named[], found: Named): string {
  const others = new Set(named.filter(({ key }) => key === found.key).map(({ text }) => text)).size - 1
  return others > 0 ? ` +${others}` : ''
}

/** The texts of arguments with their names, and of the lists and objects in them. */
function namedTexts(value: unknown, key: string, depth: number): Named[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [{ key, text: value.slice(0, READ) }]
  if (depth > 2 || typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) {
    if (/^(?:command|cmd)$/.test(key) && value.every((word) => typeof word === 'string'))
      return [{ key, text: commandOfWords(value) }]
    return value.slice(0, 100).flatMap((item) => namedTexts(item, key, depth + 1))
  }
  return Object.entries(value)
    .slice(0, 100)
    .flatMap(([name, item]) => namedTexts(item, name.replace(/[_\-\s]/g, '').toLowerCase(), depth + 1))
}

/** A command without the folder that it goes to first. */
function commandOf(text: string): string {
  const [, rest] = /^\s*cd\s+(?:"[^"]*"|'[^']*'|[^\s&;]+)\s*(?:&&|;)\s*(.+)$/s.exec(text) ?? []
  return saidLine(rest ?? text)
}

function addressOf(text: string): string {
  const url = URL.parse(text.trim())
  if (!url?.host) return saidLine(text)
  return `${url.host.replace(/^www\./, '')}${url.pathname.replace(/\/$/, '')}`
}

function baseName(text: string): string {
  const line = saidLine(text).trim()
  return line.split(/[\\/]/).findLast((segment) => segment !== '') ?? line
}

/** The file that a patch in the form of `apply_patch` changes. */
function patchedFile(text: string): string | undefined {
  if (!text.includes('*** ')) return undefined
  // in a script a patch is a literal
  const patch = text.slice(0, 10 * READ).replaceAll('\\n', '\n')
  const files = [...patch.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm)]
  const [first] = files
  if (!first?.[1]) return undefined
  return `${baseName(first[1])}${files.length > 1 ? ` +${files.length - 1}` : ''}`
}
