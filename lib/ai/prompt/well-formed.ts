import { createHash } from 'node:crypto'
import { sentName } from '../tools/tool-names'
import { goOn } from './go-on'
import type { Takes } from './takes'

/** A part of a message, as far as it is read here. */
interface Part {
  readonly type: string
  readonly text?: string
  readonly toolCallId?: string
  readonly toolName?: string
  readonly filename?: string
  readonly mediaType?: string
  readonly providerOptions?: Readonly<Record<string, unknown>>
}

/** A message of the AI SDK, as an app writes it or as a model is given it: both have this form. */
interface Message {
  readonly role: string
  readonly content: string | readonly Part[]
  readonly providerOptions?: Readonly<Record<string, unknown>>
}

/** A message of a prompt, and the place of the given message that it begins with. */
interface Placed {
  readonly message: Message
  readonly from: number
}

/** Words of turns that a conversation lacks. */
const begins = '[This conversation begins with your reply.]'
const unanswered = '[No reply was given.]'

/** The mark of a cut reply that is to be gone on with, in `providerOptions`. */
export const cutMark = { ramify: { cut: true } } as const

/**
 * The messages of a prompt as a model takes them. Turns alternate: neighbours of one role are joined, so that no
 * words are lost. No message is empty. Thoughts, files and data of providers go only where they are taken; names and
 * ids of calls are valid and unique. A well-formed prompt stays as it is.
 *
 * @param messages system messages first
 * @returns each message with the place of the given one that it begins with
 */
export function wellFormed<Given>(
  messages: readonly Given[],
  takes: Takes,
): { message: Given; from: number }[] {
  const placed = messages.map((message, from) => ({ message: message as Message, from }))
  const steps = [
    goingOn,
    thoughtsFor,
    withoutEmpty,
    systemFor,
    withTurns,
    joined,
    withDetails,
    withValidCalls,
  ]
  return steps.reduce((list, step) => step(list, takes), placed) as { message: Given; from: number }[]
}

const partsOf = ({ content }: Message): readonly Part[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content

const withParts = ({ message, from }: Placed, parts: readonly Part[]): Placed => ({
  message: { ...message, content: parts },
  from,
})

/**
 * Prepares a cut reply to go on: it ends the prompt, or a request follows it. Words that the model has said since,
 * before it called a tool, are joined to it.
 */
function goingOn(list: Placed[], { prefill }: Takes): Placed[] {
  const at = list.findIndex(({ message }) => message.providerOptions?.ramify !== undefined)
  const marked = list[at]
  if (!marked) return list
  const { providerOptions: _, ...message } = marked.message
  const { from } = marked
  const [before, after] = [list.slice(0, at), list.slice(at + 1)]
  if (prefill === 'none') {
    const asked: Message = { role: 'user', content: [{ type: 'text', text: goOn }] }
    return [...before, { message, from }, { message: asked, from }, ...after]
  }
  const [next, ...others] = after
  if (next?.message.role === 'assistant') {
    const [begun, said] = [[...partsOf(message)], [...partsOf(next.message)]]
    const [last, first] = [begun.at(-1), said[0]]
    if (last?.type === 'text' && first?.type === 'text') {
      begun[begun.length - 1] = { ...last, text: `${last.text}${first.text}` }
      said.shift()
    }
    return [...before, withParts({ message, from }, [...begun, ...said]), ...others]
  }
  const flagged = { openaiCompatible: { [prefill]: true } }
  const sent = prefill === 'plain' ? message : { ...message, providerOptions: flagged }
  return [...before, { message: sent, from }, ...after]
}

/** Each reply with the thoughts that the model takes back, and without data that only other providers know. */
function thoughtsFor(list: Placed[], takes: Takes): Placed[] {
  const present = list.findLastIndex(({ message }) => message.role === 'user')
  const inTools = turnsWithCalls(list)
  return list.map((placed, at) => {
    const { message } = placed
    if (message.role !== 'assistant' || typeof message.content === 'string') return placed
    const hasCalls = message.content.some(({ type }) => type === 'tool-call')
    const kept = message.content.filter(({ type, providerOptions }) => {
      if (type !== 'reasoning' && type !== 'reasoning-file') return true
      if (takes.thoughts === 'none') return false
      if (takes.thoughts === 'with-calls') return inTools.has(at)
      return at > present && providerOptions?.[takes.signedBy ?? ''] !== undefined
    })
    // OpenAI keeps what its ids name for a while only; words say the same
    const said = takes.signedBy === 'openai' && at < present ? kept.map(withoutOptions) : kept
    const lacks =
      takes.thoughts === 'with-calls' && hasCalls && !said.some(({ type }) => type === 'reasoning')
    // a reply of another model had none, or none that are known
    return withParts(placed, lacks ? [{ type: 'reasoning', text: ' ' }, ...said] : said)
  })
}

const withoutOptions = ({ providerOptions: _, ...part }: Part): Part => part

/** The places of replies between two messages of a person, where tools are called between these. */
function turnsWithCalls(list: readonly Placed[]): Set<number> {
  const found = new Set<number>()
  let turn: number[] = []
  let hasCalls = false
  for (const [at, { message }] of list.entries()) {
    if (message.role === 'user') {
      turn = []
      hasCalls = false
    } else if (message.role === 'assistant') {
      turn.push(at)
      hasCalls ||= partsOf(message).some(({ type }) => type === 'tool-call')
      if (hasCalls) for (const place of turn) found.add(place)
    }
  }
  return found
}

/** Messages without blank texts, and without messages that have nothing else. A blank text may carry a signature. */
function withoutEmpty(list: Placed[], takes: Takes): Placed[] {
  const kept = list.flatMap((placed): Placed[] => {
    const { message } = placed
    if (message.role === 'system') return partsOf(message).some(saysAnything) ? [placed] : []
    const parts = partsOf(message)
      .filter(
        (part) => saysAnything(part) || (takes.signedBy === 'google' && part.providerOptions !== undefined),
      )
      .map((part) => (message.role === 'assistant' ? fileFor(part, takes) : part))
    const isEmpty = parts.every(({ type }) => type === 'reasoning' || type === 'step-start')
    return isEmpty ? [] : [withParts(placed, message.role === 'assistant' ? inBlocks(parts) : parts)]
  })
  // a prompt says something, be it blank
  return kept.some(({ message }) => message.role !== 'system') ? kept : list
}

const saysAnything = ({ type, text = '' }: Part): boolean => type !== 'text' || text.trim() !== ''

function fileFor(part: Part, { filesInReplies }: Takes): Part {
  if (part.type !== 'file' || filesInReplies) return part
  const called = part.filename === undefined ? 'A file' : `The file ${JSON.stringify(part.filename)}`
  return {
    type: 'text',
    text: `[${called} (${part.mediaType}) stood here: this model cannot read what replies hold.]`,
  }
}

/** Texts that follow each other as one: some providers write them without anything between. */
function inBlocks(parts: readonly Part[]): Part[] {
  const blocks: Block[] = []
  for (const part of parts) {
    const block = blocks.at(-1)
    const before = block?.texts.at(-1)
    if (block && before !== undefined && isPlainText(part)) {
      if (!/\s/.test(`${before.slice(-1)}${part.text.slice(0, 1)}`)) block.texts.push('\n\n')
      block.texts.push(part.text)
    } else blocks.push(blockOf(part))
  }
  return blocks.map(({ part, texts }) => withTexts(part, texts))
}

/** A part, and the plain texts that it becomes one of: joined at the end, since a turn may have thousands. */
interface Block {
  part: Part
  texts: string[]
}

const blockOf = (part: Part): Block => ({ part, texts: isPlainText(part) ? [part.text] : [] })

const withTexts = (part: Part, texts: readonly string[]): Part =>
  texts.length > 1 ? { ...part, text: texts.join('') } : part

const isPlainText = (part: Part): part is Part & { text: string } =>
  part.type === 'text' && part.text !== undefined && part.providerOptions === undefined

/** Instructions before the first message of a person, where there is no other place for them. */
function systemFor(list: Placed[], { system }: Takes): Placed[] {
  if (system) return list
  const said = list.filter(({ message }) => message.role === 'system')
  const [first] = said
  if (!first) return list
  const text = said.flatMap(({ message }) => partsOf(message).map((part) => part.text ?? '')).join('\n\n')
  const rest = list.filter(({ message }) => message.role !== 'system')
  const words: Placed = { message: { role: 'user', content: [{ type: 'text', text }] }, from: first.from }
  const [next] = rest
  if (next?.message.role !== 'user') return [words, ...rest]
  // it begins with the message of a person: there it is looked for
  return [{ ...joinTurn([words, next]), from: next.from }, ...rest.slice(1)]
}

/** Adds the turns that a conversation must have and lacks. */
function withTurns(list: Placed[], { replyFirst, speechAfterTools }: Takes): Placed[] {
  const turn = (role: string, text: string, from: number): Placed => ({
    message: { role, content: [{ type: 'text', text }] },
    from,
  })
  return list.flatMap((placed, at) => {
    const { role } = placed.message
    const before = list[at - 1]?.message.role
    const isFirst = at === 0 || before === 'system'
    if (isFirst && role === 'assistant' && !replyFirst) return [turn('user', begins, placed.from), placed]
    if (role === 'user' && before === 'tool' && !speechAfterTools) {
      return [turn('assistant', unanswered, list[at - 1]?.from ?? placed.from), placed]
    }
    return [placed]
  })
}

/** Neighbours of one role as one message. */
function joined(list: Placed[]): Placed[] {
  const turns: [Placed, ...Placed[]][] = []
  for (const placed of list) {
    const turn = turns.at(-1)
    const { role } = placed.message
    if (turn?.[0].message.role === role && (role === 'user' || role === 'assistant')) turn.push(placed)
    else turns.push([placed])
  }
  return turns.map((turn) => (turn.length === 1 ? turn[0] : joinTurn(turn)))
}

/** The messages of a turn as one; texts that meet where one ends are one text. */
function joinTurn([first, ...others]: readonly [Placed, ...Placed[]]): Placed {
  const blocks = partsOf(first.message).map(blockOf)
  let { providerOptions } = first.message
  for (const { message } of others) {
    providerOptions = message.providerOptions ?? providerOptions
    for (const [at, part] of partsOf(message).entries()) {
      const block = blocks.at(-1)
      if (at === 0 && block && block.texts.length > 0 && isPlainText(part)) {
        const before = block.texts.pop() ?? ''
        block.texts.push(before.trimEnd(), '\n\n', part.text.trimStart())
      } else blocks.push(blockOf(part))
    }
  }
  const content = blocks.map(({ part, texts }) => withTexts(part, texts))
  return {
    message: { role: first.message.role, content, ...(providerOptions !== undefined && { providerOptions }) },
    from: first.from,
  }
}

/** Replies with the details of thoughts that came with their calls, in the field of the message that they came in. */
function withDetails(list: Placed[], { details }: Takes): Placed[] {
  if (!details) return list
  return list.map((placed) => {
    const { message, from } = placed
    const came = partsOf(message).flatMap(({ providerOptions }) => detailsIn(providerOptions?.openrouter))
    if (message.role !== 'assistant' || came.length === 0) return placed
    const openaiCompatible = { reasoning_details: came }
    return {
      message: { ...message, providerOptions: { ...message.providerOptions, openaiCompatible } },
      from,
    }
  })
}

const detailsIn = (options: unknown): unknown[] => {
  const { reasoning_details: details } = (options ?? {}) as { reasoning_details?: unknown }
  return Array.isArray(details) ? details : []
}

/** Calls and results with names and ids that providers take; no two calls have one id. */
function withValidCalls(list: Placed[], { callIds }: Takes): Placed[] {
  const used = new Set<string>()
  const ids = new Map<string, string>()
  const tries = new Map<string, number>()
  const idOf = (part: Part & { toolCallId: string }): string => {
    if (part.type !== 'tool-call') return ids.get(part.toolCallId) ?? part.toolCallId
    let id = part.toolCallId
    let again = tries.get(id) ?? 0
    for (; !callIds.test(id) || used.has(id); again += 1) id = madeId(part.toolCallId, again)
    tries.set(part.toolCallId, again)
    used.add(id)
    ids.set(part.toolCallId, id)
    return id
  }
  return list.map((placed) => {
    if (typeof placed.message.content === 'string') return placed
    return withParts(
      placed,
      placed.message.content.map((part) => {
        if (!isCall(part)) return part
        const toolCallId = idOf(part)
        const toolName = sentName(part.toolName)
        return toolCallId === part.toolCallId && toolName === part.toolName
          ? part
          : { ...part, toolCallId, toolName }
      }),
    )
  })
}

const isCall = (part: Part): part is Part & { toolCallId: string; toolName: string } =>
  (part.type === 'tool-call' || part.type === 'tool-result') &&
  part.toolCallId !== undefined &&
  part.toolName !== undefined

/** Nine letters and digits: Mistral wants exactly so many, and others take them. */
const madeId = (id: string, again: number): string =>
  createHash('sha256').update(`${id} ${again}`).digest('hex').slice(0, 9)
