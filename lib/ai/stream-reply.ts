import {
  isStepCount,
  type LanguageModel,
  type LanguageModelCallOptions,
  experimental_streamTextLowMemory as streamText,
  type ToolSet,
  toUIMessageStream,
  type UIMessage,
  type UIMessageChunk,
} from 'ai'
import { cacheOptions, takesMarks } from './cache-marks'
import { explainError } from './explain-error'
import { modelPrompt, type PromptParts } from './model-prompt'
import { refuseDownloads } from './refuse-downloads'
import { answeredCalls } from './reply/answered-calls'
import { type ChunkQueue, createChunkQueue } from './reply/chunk-queue'
import { type KeepFile, KeptFiles } from './reply/kept-files'
import { PartTimer } from './reply/part-timer'
import { retold } from './reply/retold'
import { settleMessage } from './reply/settle-message'
import { fail, tidyParts, type Verdict } from './reply/tidy-parts'
import { streamFrom } from './stream-from'

export type StreamReplyOptions = PromptParts & {
  /** Or a function that finds it: a model that is not available makes a failed reply that says why. */
  readonly model: LanguageModel | (() => LanguageModel | Promise<LanguageModel>)
  /** The id of the reply, in the first chunk and in the message. */
  readonly replyId: string
  /** Stops the reply. A signal that ends with a `TimeoutError` makes it failed instead of stopped. */
  readonly abortSignal?: AbortSignal
  /** The parameters of a request besides the prompt; an absent one is the model's own choice. */
  readonly settings?: LanguageModelCallOptions
  /** Becomes the message's metadata, from its first chunk on. */
  readonly metadata?: unknown
  /** True when a call of a tool waits for a person: the reply then ends with it, to be gone on with in another one. */
  readonly toolApproval?: Readonly<Record<string, 'user-approval'>>
  /** Model calls in one reply; more than one lets the model go on after a tool has answered. */
  readonly maxSteps?: number
  /** Number of times that a request which failed before its first byte is sent again. */
  readonly maxRetries?: number
  /** Puts the content of stored files into the messages, before they are written for the provider. */
  readonly fill?: (messages: UIMessage[]) => Promise<UIMessage[]>
  /** The name that requests of one conversation share, for providers that keep prompts under a name. */
  readonly cacheKey?: string
  /** Finds the last message that other branches share, for a provider that keeps prompts up to marks. */
  readonly branchPoint?: () => Promise<string | undefined>
  /** Stores the files that the model makes; without it they stay in the message. */
  readonly keep?: KeepFile
}

type ReplyOutcome = Verdict & {
  readonly status: NonNullable<Verdict['status']>
  /** The message that arrived; a stopped or failed reply has everything up to its end. */
  readonly message: UIMessage
}

type ReplyStream = {
  /**
   * The reply as the browser reads it. Reading is optional: the reply goes on and `done` resolves
   * without a reader too, with a slow one, and after a cancel.
   */
  readonly chunks: ReadableStream<UIMessageChunk>
  /** Resolves when the reply is over, and never rejects. */
  readonly done: Promise<ReplyOutcome>
}

/**
 * Asks a model for one reply. Holds the message and the unread parts, nothing else.
 *
 * Completed means the provider said so: a stream that just ends, or ends with no text, is failed, with
 * its words kept. Chunks and message hold no NUL and no lone surrogates.
 *
 * @example
 * const { chunks, done } = streamReply({ model, messages, replyId })
 * for await (const chunk of chunks) broadcast(chunk)
 * const { status, message } = await done
 */
export function streamReply(options: StreamReplyOptions): ReplyStream {
  const queue = createChunkQueue()
  return { chunks: queue.stream, done: run(options, queue) }
}

async function run(options: StreamReplyOptions, queue: ChunkQueue): Promise<ReplyOutcome> {
  const verdict: Verdict = {}
  const { replyId: id, metadata, tools, abortSignal = new AbortController().signal } = options
  let message: UIMessage = { id, role: 'assistant', parts: [], metadata }
  let words = ''
  const begun = options.continues ? options.messages.at(-1)?.parts : undefined
  const timer = new PartTimer(undefined, begun?.filter(({ type }) => type === 'reasoning').length)
  const files = new KeptFiles(options.keep)
  try {
    const chunks = toUIMessageStream<ToolSet, UIMessage>({
      stream: streamFrom(tidyParts(modelParts(options), verdict, abortSignal)),
      tools,
      onError: errorText,
      // The model has read a failed tool's text already; another one here would falsify the history.
      redactToolErrors: false,
      // left out unless asked for
      sendSources: true,
      messageMetadata: ({ part }) => {
        if (part.type === 'start') return metadata
        const durations = timer.read(part)
        return durations && { durations }
      },
      generateMessageId: () => id,
      onEnd: ({ responseMessage }) => {
        message = responseMessage
      },
    })
    for await (const chunk of retold(chunks)) {
      if (chunk.type === 'text-delta') words += chunk.delta
      for await (const kept of files.chunks(chunk)) queue.push(kept)
    }
    message = files.message(message)
  } catch (error) {
    // The AI SDK could not make a message of the stream: keep at least the words.
    if (words !== '') message = { ...message, parts: [{ type: 'text', text: words }] }
    if (verdict.status === undefined) queue.push({ type: 'error', errorText: errorText(error) })
    fail(verdict, error)
  } finally {
    queue.close()
  }
  return outcomeOf(verdict, message)
}

async function* modelParts(options: StreamReplyOptions) {
  const filled = (await options.fill?.([...options.messages])) ?? options.messages
  const answered = answeredCalls({ ...options, messages: filled })
  const { system, messages } = await modelPrompt({ ...options, messages: answered.messages })
  const model = typeof options.model === 'function' ? await options.model() : options.model
  const branchPoint = takesMarks(model) ? await sharedMessages(options, answered.messages) : 0
  const result = streamText({
    model,
    providerOptions: cacheOptions({ key: options.cacheKey, branchPoint }),
    instructions: system,
    messages,
    tools: options.tools,
    toolApproval: options.toolApproval,
    ...options.settings,
    stopWhen: isStepCount(options.maxSteps ?? 1),
    maxRetries: options.maxRetries ?? 1,
    abortSignal: options.abortSignal,
    experimental_download: refuseDownloads,
    // Errors arrive as parts of the stream; the default handler would also print them, keys included.
    onError: () => undefined,
  })
  for await (const part of result.stream) {
    yield part
    if (part.type === 'start') yield* answered.parts
  }
}

/** Counts the messages of the prompt that stand for the chain up to the branch point. */
async function sharedMessages(options: StreamReplyOptions, messages: readonly UIMessage[]): Promise<number> {
  const id = await options.branchPoint?.()
  const shared = messages.slice(0, messages.findIndex((message) => message.id === id) + 1)
  return shared.length === 0
    ? 0
    : (await modelPrompt({ ...options, messages: shared, continues: false })).messages.length
}

function errorText(error: unknown): string {
  const { message, advice } = explainError(error)
  return `${message} ${advice}`
}

function outcomeOf(verdict: Verdict, message: UIMessage): ReplyOutcome {
  // tidyParts always decides; a reply without a verdict must not count as completed.
  fail(verdict, undefined)
  const { status = 'failed' } = verdict
  return { ...verdict, status, message: settleMessage(message, status !== 'completed') }
}
