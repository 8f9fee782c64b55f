import { nameIn } from './name'

/** One thing the user stated. */
type Statement = {
  /** The sentence of an answer: "Your favourite colour is green". */
  readonly sentence: string
  /** Position of the message that said it, countOf from 1. */
  readonly position: number
}

/** By subject: `my name`, `my favourite colour`, `the codeword`, `i live`, `note 1`… */
export type Memory = ReadonlyMap<string, Statement>

type Said = { readonly text: string; readonly position: number }

/**
 * Collects what a user stated, the latest statement about a subject winning. Only what the user said is
 * read, so a reply that repeats a name never makes it a fact.
 */
export function remember(said: readonly Said[]): Memory {
  const facts = new Map<string, Statement>()
  for (const { text, position } of said) {
    for (const clause of clausesOf(text)) {
      if (clause.question) continue
      if (forget(clause.text, facts)) continue
      for (const [subject, sentence] of statementsIn(clause.text, facts)) {
        // Deleted first, so that the order of the map is the order in which things were last said.
        facts.delete(subject)
        facts.set(subject, { sentence, position })
      }
    }
  }
  return facts
}

/** Two spellings, or two ways to put a subject, must meet in one key. */
export function subjectKey(subject: string): string {
  return subject
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/\b(?:also|actually|really|current|new)\s+/g, '')
    .replace(/favorite/g, 'favourite')
    .replace(/color/g, 'colour')
    .replace(/[^\p{L}\p{N}' -]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Verbs of facts that people state and later ask about; other verbs state nothing worth keeping. */
export const verbs = 'live|work|study|like|love|hate|prefer|play|own|drive|speak|need|want|teach|come|have'
const wish =
  /^(?:please\s+)?(?:remember|note|keep in mind|don't forget|do not forget)\b(?:\s+that\b)?\s*[:,]?\s+(.+)$/i
const mine =
  /\bmy\s+([\p{L}\p{N}'’ -]{1,60}?)\s*(?:\s(is|are|was|were)(?:\s+(?:called|named))?|(?:'s|’s)\s+name\s+is|\s*[:=])\s+(.{1,240})$/iu
const ours =
  /^(?:(?:well|ok|okay|so|also|by the way)[,\s]+)?(the|our)\s+([\p{L}\p{N}'’ -]{1,60}?)\s+(is|are|was|were)(?:\s+(?:called|named))?\s+(.{1,240})$/iu
const doing = new RegExp(`\\bI\\s+(?:really\\s+|also\\s+|now\\s+)?(${verbs})\\s+(.{1,240})$`, 'i')
const aged = /\b(?:I am|I'm|I’m|im)\s+(\d{1,3})(?:\s+years?(?:\s+old)?)?$/i

function* statementsIn(clause: string, facts: Memory): Generator<[subject: string, sentence: string]> {
  const wished = wish.exec(clause)?.[1]
  const stated = wished ?? clause
  let found = false
  for (const statement of plainStatements(stated)) {
    found = true
    yield statement
  }
  if (wished !== undefined && !found) {
    const notes = [...facts.keys()].filter((key) => key.startsWith('note ')).length
    yield [`note ${notes + 1}`, `You asked me to remember: ${toYou(wished)}`]
  }
}

function* plainStatements(text: string): Generator<[subject: string, sentence: string]> {
  const name = nameIn(text)
  if (name !== undefined) {
    yield ['my name', `Your name is ${name}`]
    return
  }
  const age = aged.exec(text)?.[1]
  if (age !== undefined) {
    yield ['my age', `You are ${age} years old`]
    return
  }
  const own = mine.exec(text)
  if (own?.[1] !== undefined && own[3] !== undefined) {
    const subject = subjectKey(own[1])
    // `my name is not …` says nothing we could repeat, and a name that is none is no fact either.
    if (subject !== 'name' && !/^not\b/i.test(own[3])) {
      yield [`my ${subject}`, `Your ${own[1].trim()} ${own[2]?.toLowerCase() ?? 'is'} ${tidy(own[3])}`]
    }
    return
  }
  const shared = ours.exec(text)
  if (shared?.[1] !== undefined && shared[2] !== undefined && shared[4] !== undefined) {
    const article = shared[1].toLowerCase()
    const spoken = article === 'our' ? 'Your' : 'The'
    yield [
      `the ${subjectKey(shared[2])}`,
      `${spoken} ${shared[2].trim()} ${shared[3]?.toLowerCase() ?? 'is'} ${tidy(shared[4])}`,
    ]
    return
  }
  const deed = doing.exec(text)
  if (deed?.[1] !== undefined && deed[2] !== undefined) {
    const verb = deed[1].toLowerCase()
    yield [`i ${verb}`, `You ${verb} ${toYou(tidy(deed[2]))}`]
  }
}

function forget(clause: string, facts: Map<string, Statement>): boolean {
  const what = /^(?:please\s+)?forget\s+(?:about\s+)?(everything|my\s+.+|the\s+.+)$/i.exec(clause)?.[1]
  if (what === undefined) return false
  if (what.toLowerCase() === 'everything') facts.clear()
  else facts.delete(subjectKey(what))
  return true
}

function tidy(value: string): string {
  return value
    .replace(/(?:,?\s+(?:please|by the way|btw|now|ok))+$/i, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Turns the user's words around: "my dog likes me" is "your dog likes you" when said back. */
function toYou(text: string): string {
  const turned: Readonly<Record<string, string>> = {
    my: 'your',
    our: 'your',
    i: 'you',
    me: 'you',
    "i'm": 'you are',
    mine: 'yours',
    am: 'are',
  }
  return text.replace(/\b(?:I'm|my|our|I|me|mine|am)\b/gi, (word) => turned[word.toLowerCase()] ?? word)
}

type Clause = { readonly text: string; readonly question: boolean }

/** Reading stops here: facts stand at the start of a message, not in a pasted file. */
const MAX_TEXT = 20_000
const MAX_CLAUSE = 400

const asking =
  /^(?:(?:and|so|but|now|then|ok|okay|please|well|hey|hi|hello)[,\s]+)*(?:what|what's|whats|what’s|who|who's|whose|where|when|why|how|which|do|does|did|can|could|would|will|should|is|are|am|was|were|have|tell me|say|guess)\b/i
const joints =
  /\s+(?:and|but)\s+(?=(?:my|I|I'm|I’m|call me|what|who|where)\b)|[,;]\s*(?=(?:(?:and|but|so)\s+)?(?:my|I|I'm|I’m|call me|what|what's|who|where|when|how|do you|can you)\b)/i

/** Cuts a message into clauses that each state or ask one thing. Code is left out: it states nothing. */
function clausesOf(text: string): Clause[] {
  return text
    .slice(0, MAX_TEXT)
    .replace(/```[\s\S]*?(?:```|$)/g, '\n')
    .split(/(?<=[.!?])\s+|\n+/)
    .flatMap((sentence) => {
      const asked = sentence.trimEnd().endsWith('?')
      const clauses = sentence.split(joints).map((clause) => clause.trim())
      return clauses.map((clause, index) => ({
        text: clause.replace(/[.!?\s]+$/, ''),
        // A question mark asks about the words right before it: "I am Ada, what is my name?"
        question: asking.test(clause) || (asked && index === clauses.length - 1),
      }))
    })
    .filter((clause) => clause.text !== '' && clause.text.length <= MAX_CLAUSE)
}
