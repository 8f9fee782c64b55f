import { isObject } from './tool-text'

/** A text of a person as a client sends it: the person's own words, and the client's additions around them. */
export interface SaidWords {
  said: string
  /** each block whole, in order */
  injected: string[]
}

/**
 * Blocks that clients put into a person's words. Their names are made of two words and more, one of which tells their
 * content: `<system-reminder>`, `<environment_context>`, `<local-command-stdout>`. An element that a person pastes
 * has another name, or stands within a line.
 */
const injectedName =
  /^(?:[a-z]+[-_])+(?:reminder|context|environment|details|instructions|caveat|stdout|stderr|message|args|status|info|selection|file|files|layout|notification|metadata)$|^INSTRUCTIONS$|^(?:environment|context|instructions|skills)[-_][a-z]+$|^gitStatus$/
/** Blocks that hold what the person said. */
const saidName = /^(?:task|user[-_](?:query|message|request|prompt)|command-name)$/
/** Blocks that hold what the person said after the name of a command. */
const argumentName = 'command-args'

const opening = /(?:^|\n)[ \t]*<([A-Za-z][\w-]{2,40})(?: [^<>\n]{0,300})?>/g

/** Some clients say this before a person says anything; all of it is theirs. */
const preambles = [
  /^This is the [\w .-]{1,40}\. We are setting up the context for our chat\./,
  /^# AGENTS\.md instructions\b[^\n]{0,500}\n\s*(?=<INSTRUCTIONS>)/,
]

/** Clients let the model say this to the context that they have set up. */
const acknowledged = /^Got it\. Thanks for the context!?$/

/** Letters in which a person's words are told apart from a client's additions around them. */
export const SPLIT = 100_000

/**
 * Tells whether a stored message holds nothing but context that an agent has added: instructions amid the conversation, a
 * setup, and what clients let the model say to it. A summary of other messages is none: it is read in their place.
 */
export function isAddedContext(message: unknown): boolean {
  if (!isObject(message) || typeof message.role !== 'string' || !Array.isArray(message.parts)) return false
  const { compact, merge, hidden } = isObject(message.metadata) ? message.metadata : {}
  if (compact !== undefined || merge !== undefined) return false
  const texts: string[] = []
  for (const part of message.parts) {
    if (!isObject(part)) return false
    if (part.type === 'text' && typeof part.text === 'string') texts.push(part.text.slice(0, SPLIT))
    else if (part.type !== 'data-item') return false
  }
  // programs hide messages of every kind: an agent's are known by their words
  const role = hidden === undefined ? message.role : 'user'
  if (role === 'system') return true
  if (texts.length === 0) return false
  if (role === 'assistant') return texts.length === 1 && acknowledged.test(texts[0] ?? '')
  return role === 'user' && texts.every(isInjected)
}

function isInjected(text: string): boolean {
  if (!isSuspect(text)) return false
  const { said, injected } = splitSaid(text)
  return injected.length > 0 && said.trim() === ''
}

/**
 * Splits a text of a person into the person's words and a client's additions. Never throws; its cost grows with the
 * text.
 */
export function splitSaid(text: string): SaidWords {
  const injected: string[] = []
  const said: string[] = []
  const [setup, heading] = preambles
  const trimmed = text.trimStart()
  if (setup?.test(trimmed.slice(0, 200))) return { said: '', injected: [trimmed] }
  const begun = heading?.exec(trimmed.slice(0, 1000))?.[0].length ?? 0
  const rest = begun > 0 ? trimmed.slice(begun) : text
  const unclosed = new Set<string>()
  let at = 0
  opening.lastIndex = 0
  for (let found = opening.exec(rest); found; found = opening.exec(rest)) {
    const name = found[1] ?? ''
    if (unclosed.has(name)) continue
    const holdsSaid = saidName.test(name) || name === argumentName
    if (!holdsSaid && !injectedName.test(name)) continue
    const from = found.index + found[0].length
    const to = rest.indexOf(`</${name}>`, from)
    if (to < 0) {
      unclosed.add(name)
      continue
    }
    said.push(rest.slice(at, found.index))
    if (holdsSaid) said.push(rest.slice(from, to))
    else injected.push(rest.slice(found.index, to + name.length + 3).trim())
    at = to + name.length + 3
    opening.lastIndex = at
  }
  if (at === 0) return { said: rest, injected }
  said.push(rest.slice(at))
  const words = said.map((part) => part.trim()).filter(Boolean)
  return { said: words.join('\n'), injected }
}

/** Takes the words of a person out of a text of theirs; a text that is injected whole gives the names of its blocks. */
export function saidWords(text: string): string {
  if (!isSuspect(text)) return text
  const { said, injected } = splitSaid(text)
  if (said.trim() !== '' || injected.length === 0) return said
  const names = injected.map((block) => blockName(block) ?? 'context')
  return `[${[...new Set(names)].join(', ')}]`
}

/** The name of an injected block in words: `<system-reminder>` → `system reminder`. */
export const blockName = (block: string): string | undefined =>
  /^\s*<([A-Za-z][\w-]{2,40})/.exec(block)?.[1]?.replaceAll(/[-_]/g, ' ')

const closing = /<\/([A-Za-z][\w-]{2,40})>/

/** Takes the words of a person out of a piece of a text: a block that is open at one of its ends is cut too. */
export function saidInPiece(piece: string): string {
  const { said } = splitSaid(piece)
  const end = closing.exec(said)
  const [, ended = ''] = end ?? []
  const rest =
    end && injectedName.test(ended) && !saidName.test(ended) ? said.slice(end.index + end[0].length) : said
  opening.lastIndex = 0
  for (let found = opening.exec(rest); found; found = opening.exec(rest)) {
    const [, name = ''] = found
    if (injectedName.test(name) && !saidName.test(name)) return rest.slice(0, found.index)
  }
  return rest
}

/** Most texts have no block and no preamble. */
const isSuspect = (text: string): boolean =>
  text.includes('<') || preambles.some((preamble) => preamble.test(text.slice(0, 1000).trimStart()))
