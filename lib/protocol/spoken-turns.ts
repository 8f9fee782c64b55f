/** A message of a chat that was written as a text. */
export interface SpokenTurn {
  role: 'user' | 'assistant' | 'system'
  /** the name of the model, where the text says it */
  model: string | null
  /** ISO 8601 */
  at: string | null
  text: string
}

/** A text as the messages that it holds. Nothing of it is dropped but lines that say who speaks, when, or what the chat is called. */
export interface SpokenText {
  title: string | null
  turns: SpokenTurn[]
  /** false: no line says who speaks, and the text is one message */
  isMarked: boolean
  /** the first message stands before the first line that says who speaks */
  hasPreface: boolean
}

interface Mark {
  name: string
  /** the message, where it begins in the same line */
  rest: string
}

const person = /^(?:you|user|human|me|prompt|question)$/i
const system = /^(?:system(?: prompt)?|instructions)$/i
/** Names that say a role and no model. */
const anyModel = /^(?:assistant|ai|bot|model|response|answer|reply)$/i
const names =
  'you|user|human|me|prompt|question|assistant|ai|bot|model|response|answer|reply|system(?: prompt)?|instructions|(?:chatgpt|gpt|claude|gemini|copilot|grok|deepseek|perplexity|le chat|mistral|llama|qwen)[\\w .:/-]{0,40}?'
const name = `(?:\\p{Extended_Pictographic}\\ufe0f?[ \\t]*)?(${names})(?:[ \\t]*\\([^()]{0,80}\\))?`
const whole = (form: string) => new RegExp(`^${form}[ \\t]*$`, 'iu')

/** Ways to write who speaks in a line, the surest first. */
const dialects: readonly { mark: RegExp; begins?: RegExp; isSure: boolean }[] = [
  // LibreChat
  { mark: /^>> (.{1,100}):[ \t]*$/, begins: /^\ufeff?Conversation\r?\n#{9,}/, isSure: true },
  // a page of ChatGPT or Gemini that was copied
  { mark: whole(`(?:#{1,6} )?${name} said:?`), isSure: true },
  { mark: whole(`#{1,6}[ \\t]+(?:\\*\\*)?${name}:?(?:\\*\\*)?:?`), isSure: false },
  { mark: new RegExp(`^(?:\\*\\*|__)${name}(?::(?:\\*\\*|__)|(?:\\*\\*|__):)(.*)$`, 'iu'), isSure: false },
  { mark: whole(`(?:\\*\\*|__)${name}(?:\\*\\*|__)`), isSure: false },
  { mark: new RegExp(`^${name}:(?:[ \\t]+(.*))?$`, 'iu'), isSure: false },
]

const roleOf = (speaker: string): SpokenTurn['role'] =>
  person.test(speaker) ? 'user' : system.test(speaker) ? 'system' : 'assistant'

/** Lines of a longer text than this are no marks: no name is as long. */
const MAX_MARK = 200

/** The marks of a text by their lines. Code has none, but where its fence does not end. */
function marksOf(lines: readonly string[], mark: RegExp): Map<number, Mark> {
  const found = new Map<number, Mark>()
  const inCode = new Map<number, Mark>()
  let fence: string | null = null
  for (const [at, line] of lines.entries()) {
    const sign: string | undefined = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (sign !== undefined && fence === null) fence = sign
    else if (sign?.startsWith(fence ?? ' ') && line.trim() === sign) {
      fence = null
      inCode.clear()
    }
    // a mark with its message in the same line may be long
    const [, speaker, rest = ''] = mark.exec(line.slice(0, MAX_MARK)) ?? []
    if (speaker === undefined) continue
    const said = (rest + line.slice(MAX_MARK)).trimStart()
    ;(fence === null ? found : inCode).set(at, { name: speaker.trim(), rest: said })
  }
  return new Map([...found, ...inCode].toSorted(([one], [other]) => one - other))
}

const hasTwo = (marks: ReadonlyMap<number, Mark>) => {
  const roles = new Set([...marks.values()].map((mark) => roleOf(mark.name)))
  return roles.has('user') && roles.has('assistant')
}

const linesOf = (text: string): string[] => text.split(/\r\n|\r|\n/)

/** The lines that say who speaks, in the dialect that the text is in; null: no line does. */
function marksIn(text: string, lines: readonly string[]): Map<number, Mark> | null {
  let one: Map<number, Mark> | null = null
  for (const { mark, begins } of dialects) {
    if (begins && !begins.test(text)) continue
    const marks = marksOf(lines, mark)
    if (begins || hasTwo(marks)) return marks
    if (marks.size > 0) one ??= marks
  }
  return one
}

/** Tells whether a text is a chat: a person and a model speak in it, near its beginning. */
export function isSpoken(text: string): boolean {
  const lines = linesOf(text)
  return dialects.some(({ mark, begins, isSure }) => {
    if (begins && !begins.test(text)) return false
    const marks = marksOf(lines, mark)
    if (begins) return marks.size > 0
    if (!hasTwo(marks)) return false
    const [first = 0] = marks.keys()
    const before = lines.slice(0, first).filter((line) => line.trim() !== '')
    // other texts have such lines further down
    return isSure || before.length === 0 || (/^# /.test(before[0] ?? '') && before.length < 8)
  })
}

/**
 * Reads a chat that was copied or written as a text: `**You:**`, `## Assistant`, `User:`, `ChatGPT said:`, questions as
 * quotes, or the Markdown that Ramify exports. A text in which no line says who speaks is one message of the person.
 */
export function spokenTurns(text: string): SpokenText {
  const lines = linesOf(text.replace(/^\ufeff/, ''))
  const marks = marksIn(text, lines)
  if (!marks) return quotedTurns(lines)
  const places = [...marks.keys()]
  const { title, preface } = beginningOf(lines.slice(0, places[0]))
  const turns = places.map((place, index) => {
    const { name: speaker, rest } = marks.get(place) as Mark
    const body = lines.slice(place + 1, places[index + 1])
    return turnOf(speaker, rest === '' ? body : [rest, ...body])
  })
  const first: SpokenTurn[] = preface === '' ? [] : [{ role: 'user', model: null, at: null, text: preface }]
  // a mark that nothing follows holds no message
  const said = turns.filter((turn) => turn.text !== '')
  return { title, turns: [...first, ...said], isMarked: true, hasPreface: first.length > 0 }
}

/** The line that Ramify writes below the speaker: the time, and the model. */
const facts = /^\*(\d{4}-\d\d-\d\d) (\d\d:\d\d) UTC(?: · (.{1,300}))?\*$/

function turnOf(speaker: string, body: readonly string[]): SpokenTurn {
  const role = roleOf(speaker)
  const begin = body.findIndex((line) => line.trim() !== '')
  const [, day, time, more = ''] = facts.exec(body[begin] ?? '') ?? []
  const [told = ''] = more.split(' · ')
  const named =
    told === '' || /^(?:stopped|failed|checkpoint )/.test(told) ? null : told.replace(/\\(.)/g, '$1')
  const model = role === 'assistant' && !anyModel.test(speaker) ? speaker : null
  const lines = day === undefined ? body : body.slice(begin + 1)
  // two blanks are a line end in Markdown
  const plain = day !== undefined && role === 'user' ? lines.map((line) => line.replace(/ {2}$/, '')) : lines
  return {
    role,
    model: role === 'assistant' ? (named ?? model) : null,
    at: day === undefined ? null : `${day}T${time}:00.000Z`,
    text: trimmed(plain),
  }
}

/** Without empty lines around it. */
const trimmed = (lines: readonly string[]): string =>
  lines
    .join('\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd()

/** The lines before the first speaker: the title, facts that exports write of a chat, and the words that are left. */
function beginningOf(lines: readonly string[]): { title: string | null; preface: string } {
  const heading = lines.find((line) => line.trim() !== '') ?? ''
  const field = lines.map((line) => /^title: (.+)$/.exec(line)?.[1]).find((found) => found !== undefined)
  const title = field ?? /^# (.+)$/.exec(heading)?.[1]
  const isLibreChat = /^Conversation$/.test(heading)
  const left = lines.filter(
    (line) =>
      !(line === heading && title !== undefined) &&
      !/^\d[\d,]* messages?(?:, \d[\d,]* [a-z]+)*$/.test(line) &&
      !(isLibreChat && /^(?:Conversation|History|#{9,}|\w+: .*)$/.test(line)),
  )
  return { title: title?.replace(/\\(.)/g, '$1').trim() || null, preface: trimmed(left) }
}

/**
 * A text without marks: quotes at its beginning are questions, and the rest are replies; without a quote at its
 * beginning one message.
 */
function quotedTurns(lines: readonly string[]): SpokenText {
  const isQuote = (line: string) => /^ {0,3}>/.test(line)
  const turns: SpokenTurn[] = []
  const none = { title: null, isMarked: false, hasPreface: false }
  const say = (role: SpokenTurn['role'], body: readonly string[]) => {
    const text = trimmed(body)
    if (text !== '') turns.push({ role, model: null, at: null, text })
  }
  const begin = lines.find((line) => line.trim() !== '')
  if (begin === undefined) return { ...none, turns }
  if (!isQuote(begin) || lines.every((line) => isQuote(line) || line.trim() === '')) {
    say('user', lines)
    return { ...none, turns }
  }
  let block: string[] = []
  let isAsked = true
  for (const line of lines) {
    if (isQuote(line) !== isAsked && line.trim() !== '') {
      say(isAsked ? 'user' : 'assistant', block)
      block = []
      isAsked = !isAsked
    }
    block.push(isAsked ? line.replace(/^ {0,3}> ?/, '') : line)
  }
  say(isAsked ? 'user' : 'assistant', block)
  return { ...none, turns, isMarked: true }
}
