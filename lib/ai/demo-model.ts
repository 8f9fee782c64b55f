import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import { allParts, asksForParts } from './demo/all-parts'
import { answer } from './demo/answer'
import { type Fault, readFault, withoutFaults } from './demo/faults'
import { type DemoPrompt, readPrompt } from './demo/read-prompt'
import { MOST_TAKES, Takes } from './demo/takes'
import { callsFor, toldBy } from './demo/use-tools'
import { streamFrom } from './stream-from'

export type DemoModelOptions = {
  /** Pause before each word. */
  readonly delayMs?: number
  /** Obey the fault phrases of `demo/faults.ts`. For tests: every author of a message could use them. */
  readonly faults?: boolean
}

/**
 * A language model that needs no key and no network. It reads its prompt and nothing else, streams word by word, and stops
 * the moment it is aborted. Asked once it says the same to the same prompt; another try at a streamed reply may get other words.
 *
 * @example
 * const { text } = await generateText({ model: demoModel(), prompt: 'What is 2+2?' })
 */
export function demoModel({ delayMs = 20, faults = false }: DemoModelOptions = {}): LanguageModelV4 {
  const takes = new Takes()
  return {
    specificationVersion: 'v4',
    provider: 'demo',
    modelId: 'demo',
    // It looks at no attachment, so none needs to be downloaded for it.
    supportedUrls: { '*/*': [/.*/] },
    async doGenerate(options) {
      const reply = prepare(options, faults, () => 0)
      for await (const _ of wordByWord(reply, { ...options, delayMs: 0 }));
      return {
        content: [
          ...(reply.words.length === 0 ? [] : [{ type: 'text' as const, text: reply.words.join('') }]),
          ...reply.calls.map((call) => ({ type: 'tool-call' as const, ...call })),
        ],
        finishReason: reply.finishReason,
        usage: reply.usage,
        warnings: [],
      }
    },
    async doStream(options) {
      const reply = prepare(options, faults, (read) => takes.next(read))
      return { stream: streamFrom(partsOf(reply, { ...options, delayMs })) }
    },
  }
}

type Reply = ReturnType<typeof prepare>

type Pace = Pick<LanguageModelV4CallOptions, 'abortSignal'> & { readonly delayMs: number }

function prepare(options: LanguageModelV4CallOptions, faults: boolean, takeOf: (read: DemoPrompt) => number) {
  const { maxOutputTokens, abortSignal } = options
  abortSignal?.throwIfAborted()
  const { prompt, begun } = withoutBegun(options.prompt)
  const read = readPrompt(prompt)
  const fault = faults ? readFault(read.question) : {}
  if (fault.refusal !== undefined) throw fault.refusal
  const calls = callsFor(read.question, { ...options, prompt })
  const told = toldBy(prompt)
  const said = (take: number) => (told === undefined ? wordsOf(read, fault, faults, take) : split(told))
  const whole = calls.length > 0 ? [] : begun === '' ? said(takeOf(read)) : begunAs(begun, said)
  const all = begun === '' ? whole : goingOn(whole.join(''), begun)
  const words = all.slice(0, maxOutputTokens)
  const ending = calls.length > 0 ? 'tool-calls' : words.length < all.length ? 'length' : 'stop'
  const finishReason: LanguageModelV4FinishReason = { unified: ending, raw: ending }
  const showsParts = words.length > 0 && asksForParts(read.question)
  return { words, calls, finishReason, usage: usageOf(read, words), fault, showsParts }
}

/** A prompt without the cut reply that it ends with, and what that one says. */
function withoutBegun(prompt: LanguageModelV4CallOptions['prompt']) {
  const last = prompt.at(-1)
  if (last?.role !== 'assistant') return { prompt, begun: '' }
  const begun = last.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
  return { prompt: prompt.slice(0, -1), begun }
}

/** The full words of a cut reply. */
function begunAs(begun: string, said: (take: number) => readonly string[]): readonly string[] {
  const tries = Array.from({ length: MOST_TAKES }, (_, take) => said(take))
  return tries.find((words) => words.join('').startsWith(begun)) ?? said(0)
}

const goingOn = (text: string, begun: string): readonly string[] =>
  split(text.startsWith(begun) ? text.slice(begun.length) : text)

function wordsOf(read: DemoPrompt, fault: Fault, faults: boolean, take: number): readonly string[] {
  if (fault.empty === true) return []
  const text = answer(faults ? { ...read, question: withoutFaults(read.question) } : read, take)
  const words = split(text)
  return fault.badText === true ? ['NUL \0 lone \ud800 pair \ud83d', '\ude00 ', ...words] : words
}

const split = (text: string): readonly string[] => text.match(/\s*\S+\s*$|\s*\S+/g) ?? []

async function* partsOf(reply: Reply, pace: Pace): AsyncGenerator<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings: [] }
  yield { type: 'response-metadata', modelId: 'demo' }
  if (reply.showsParts) yield* allParts()
  for (const call of reply.calls) yield { type: 'tool-call', ...call }
  if (reply.words.length > 0) yield { type: 'text-start', id: '0' }
  let sent = 0
  for await (const word of wordByWord(reply, pace)) {
    yield { type: 'text-delta', id: '0', delta: word }
    sent += 1
  }
  if (reply.fault.endAfter !== undefined && sent >= reply.fault.endAfter) return
  if (reply.words.length > 0) yield { type: 'text-end', id: '0' }
  yield { type: 'finish', finishReason: reply.finishReason, usage: reply.usage }
}

async function* wordByWord({ words, fault }: Reply, { abortSignal, delayMs }: Pace): AsyncGenerator<string> {
  for (const [index, word] of words.entries()) {
    await misbehave(fault, index, abortSignal)
    if (fault.endAfter === index) return
    await pause(fault.delayMs ?? delayMs, abortSignal)
    yield word
  }
  await misbehave(fault, words.length, abortSignal)
}

async function misbehave(fault: Fault, sent: number, signal: AbortSignal | undefined): Promise<void> {
  if (fault.failAfter === sent) {
    throw Object.assign(new Error('The demo model was asked to lose its connection'), { code: 'ECONNRESET' })
  }
  if (fault.hangAfter === sent) await sleep(2 ** 31 - 1, undefined, signal && { signal })
}

/** Even without a delay the event loop gets its turn between two words, so that a stop can arrive. */
async function pause(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  if (delayMs > 0) await sleep(delayMs, undefined, signal && { signal })
  else await nextTurn(undefined, signal && { signal })
}

/** Four characters a token, as good a guess as any. */
function usageOf({ characters }: DemoPrompt, words: readonly string[]): LanguageModelV4Usage {
  const input = Math.ceil(characters / 4)
  return {
    inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: words.length, text: words.length, reasoning: 0 },
  }
}
