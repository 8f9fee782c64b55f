import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { wrapLanguageModel } from 'ai'
import { z } from 'zod'

type Part = LanguageModelV4StreamPart

/** Sources of one reply, characters of one picture in base64, and of all pictures of a reply together. */
const MOST_SOURCES = 200
const MOST_OF_PICTURE = 40_000_000
const MOST_OF_PICTURES = 120_000_000

/** A list of which each entry is read by itself: an entry of no known kind is passed over. */
const listOf = <Schema extends z.ZodType>(entry: Schema) =>
  z
    .unknown()
    .optional()
    .transform((items) =>
      Array.isArray(items) ? items.flatMap((item) => entry.safeParse(item).data ?? []) : [],
    )

const address = z.union([z.string(), z.object({ url: z.string() }).transform(({ url }) => url)])

const pictureEntry = z.union([
  z.object({ image_url: address }).transform((entry) => entry.image_url),
  z.object({ b64_json: z.string() }).transform((entry) => `data:image/png;base64,${entry.b64_json}`),
  z.object({ url: z.string() }).transform((entry) => entry.url),
])
const picture = z.union([pictureEntry, z.string()])

const cited = z.object({ url: z.string(), title: z.string().nullish() })
const source = z.union([
  z.object({ url_citation: cited }).transform((entry) => entry.url_citation),
  cited,
  z.string().transform((url) => ({ url, title: undefined })),
])

const detail = z.looseObject({
  type: z.string(),
  index: z.number().nullish(),
  text: z.string().nullish(),
  summary: z.string().nullish(),
})
type Detail = z.infer<typeof detail>

/** Pieces of a content that is a list, of the kinds that the AI SDK passes over. */
const piece = z.union([
  z.object({ type: z.literal('thinking'), thinking: z.string() }),
  z.object({ type: z.literal('reasoning'), text: z.string() }).transform(({ text }) => ({ thinking: text })),
  cited.extend({ type: z.literal('tool_reference') }),
  pictureEntry.transform((image) => ({ image })),
])

const said = z.looseObject({
  reasoning: z.unknown().optional(),
  reasoning_content: z.unknown().optional(),
  content: listOf(piece),
  images: listOf(picture),
  annotations: listOf(source),
  citations: listOf(source),
  reasoning_details: listOf(detail),
})

const chunk = z.looseObject({
  choices: listOf(z.looseObject({ delta: said.nullish(), message: said.nullish() })),
  search_results: listOf(source),
  citations: listOf(source),
})

/**
 * A model behind Chat Completions with the additions of providers to that protocol as parts of the reply: pictures,
 * sources, and thoughts in details. Sources come last, as they stand below the words.
 */
export const withAddedParts = (model: LanguageModelV4): LanguageModelV4 =>
  wrapLanguageModel({
    model,
    middleware: {
      wrapStream: async ({ model: asked, params }) => {
        const result = await asked.doStream({ ...params, includeRawChunks: true })
        const { stream } = result
        return { ...result, stream: stream.pipeThrough(adding(params.includeRawChunks === true)) }
      },
    },
  })

function adding(wantsRaw: boolean): TransformStream<Part, Part> {
  const added = new AddedParts()
  return new TransformStream({
    transform(part, controller) {
      const isRaw = part.type === 'raw'
      for (const each of isRaw ? added.read(part.rawValue) : added.around(part)) controller.enqueue(each)
      if (isRaw && wantsRaw) controller.enqueue(part)
    },
    flush(controller) {
      for (const part of added.end()) controller.enqueue(part)
    },
  })
}

/** Things that one reply has been given besides its words. */
class AddedParts {
  readonly #sources = new Map<string, string | undefined>()
  readonly #pictures = new Set<string>()
  readonly #details: Detail[] = []
  #room = MOST_OF_PICTURES
  #thoughts = 0
  #isThinking = false

  #cite(url: string | undefined, title?: string | null): void {
    if (url === undefined || !/^https?:/i.test(url) || !URL.canParse(url)) return
    if (this.#sources.size < MOST_SOURCES || this.#sources.has(url))
      this.#sources.set(url, this.#sources.get(url) ?? title ?? undefined)
  }

  /** The parts that a chunk adds. */
  *read(value: unknown): Generator<Part> {
    const { data } = chunk.safeParse(value)
    if (!data) return
    for (const { delta, message } of data.choices) {
      const words = delta ?? message
      if (!words) continue
      const { content, images, annotations, citations, reasoning_details: details } = words
      for (const { title, url } of [...annotations, ...citations]) this.#cite(url, title)
      yield* this.#think(details, Boolean(words.reasoning || words.reasoning_content))
      for (const each of content) {
        if ('thinking' in each) yield* this.#say(each.thinking)
        else if ('image' in each) yield* this.#show(each.image)
        else this.#cite(each.url, each.title)
      }
      for (const url of images) yield* this.#show(url)
    }
    // results of a search have titles, and citations the same addresses
    for (const { title, url } of [...data.search_results, ...data.citations]) this.#cite(url, title)
  }

  /** A part of the model, after the parts that have to stand before it. */
  *around(part: Part): Generator<Part> {
    yield* this.#stopThinking()
    if (part.type === 'finish') yield* this.#cited()
    if (part.type !== 'tool-call' || this.#details.length === 0) {
      yield part
      return
    }
    // they go back with the call: some models refuse it without them
    const reasoning_details = this.#details.splice(0)
    yield {
      ...part,
      providerMetadata: { ...part.providerMetadata, openrouter: { reasoning_details } },
    } as Part
  }

  *end(): Generator<Part> {
    yield* this.#stopThinking()
    yield* this.#cited()
  }

  *#cited(): Generator<Part> {
    let at = 0
    for (const [url, title] of this.#sources) {
      yield {
        type: 'source',
        sourceType: 'url',
        id: `cited-${++at}`,
        url,
        ...(title !== undefined && { title }),
      }
    }
    this.#sources.clear()
  }

  *#show(url: string): Generator<Part> {
    if (this.#pictures.has(url)) return
    const [, mediaType, data] = /^data:(image\/[\w.+-]+);base64,(.+)$/is.exec(url) ?? []
    if (mediaType === undefined || data === undefined) {
      // a picture elsewhere is not fetched from our network
      this.#cite(url, 'Picture')
      return
    }
    if (data.length > MOST_OF_PICTURE || data.length > this.#room) return
    this.#pictures.add(url)
    this.#room -= data.length
    yield { type: 'file', mediaType: mediaType.toLowerCase(), data: { type: 'data', data } }
  }

  /** @param isSaid the same thoughts come in a field that the AI SDK reads */
  *#think(details: readonly Detail[], isSaid: boolean): Generator<Part> {
    for (const each of details) {
      const words = each.text ?? each.summary ?? ''
      const known = this.#details.findLast(({ index, type }) => index === each.index && type === each.type)
      if (known && typeof each.index === 'number') {
        const text = joined(known.text, each.text)
        const summary = joined(known.summary, each.summary)
        Object.assign(known, each, { text, summary })
      } else this.#details.push({ ...each })
      if (!isSaid) yield* this.#say(words)
    }
  }

  *#say(delta: string): Generator<Part> {
    if (delta === '') return
    if (!this.#isThinking) yield { type: 'reasoning-start', id: `added-${++this.#thoughts}` }
    this.#isThinking = true
    yield { type: 'reasoning-delta', id: `added-${this.#thoughts}`, delta }
  }

  *#stopThinking(): Generator<Part> {
    if (!this.#isThinking) return
    this.#isThinking = false
    yield { type: 'reasoning-end', id: `added-${this.#thoughts}` }
  }
}

const joined = (before: Detail['text'], next: Detail['text']): Detail['text'] =>
  next ? `${before ?? ''}${next}` : before
