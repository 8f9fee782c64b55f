import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import { wrapLanguageModel } from 'ai'
import { sentName } from '../tools/tool-names'
import { learnFrom, type Receiver, takesOf } from './takes'
import { wellFormed } from './well-formed'

/** Forms in which one prompt is tried. */
const MOST_FORMS = 4

/**
 * A model that gets prompts in the form that it takes. When it refuses a prompt for its form, it is asked again in
 * the form that it wants, and so from then on. Its calls have the names under which its tools were given.
 */
export const taking = (model: LanguageModelV4, receiver: Receiver): LanguageModelV4 =>
  wrapLanguageModel({
    model,
    middleware: {
      wrapGenerate: async ({ model: asked, params }) => {
        const names = namesBack(params)
        const result = await inForm(receiver, params, (options) => asked.doGenerate(options))
        return { ...result, content: result.content.map((part) => renamed(part, names)) }
      },
      wrapStream: async ({ model: asked, params }) => {
        const names = namesBack(params)
        const result = await inForm(receiver, params, (options) => asked.doStream(options))
        if (names.size === 0) return result
        return { ...result, stream: result.stream.pipeThrough(renaming(names)) }
      },
    },
  })

async function inForm<Result>(
  receiver: Receiver,
  params: LanguageModelV4CallOptions,
  ask: (options: LanguageModelV4CallOptions) => PromiseLike<Result>,
): Promise<Result> {
  for (let forms = 1; ; forms += 1) {
    try {
      return await ask(inFormOf(receiver, params))
    } catch (error) {
      if (forms === MOST_FORMS || params.abortSignal?.aborted || !learnFrom(receiver, error)) throw error
    }
  }
}

function inFormOf(receiver: Receiver, params: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  const { prompt, tools, toolChoice } = params
  const takes = takesOf(receiver)
  return {
    ...params,
    prompt: wellFormed(prompt, takes).map(({ message }) => message),
    // sealed thoughts travel with the prompt: nothing depends on what OpenAI keeps
    ...(takes.signedBy === 'openai' && {
      providerOptions: {
        ...params.providerOptions,
        openai: { store: false, ...params.providerOptions?.openai },
      },
    }),
    ...(tools && {
      tools: tools.map((tool) => (tool.type === 'function' ? { ...tool, name: sentName(tool.name) } : tool)),
    }),
    ...(toolChoice?.type === 'tool' && {
      toolChoice: { type: 'tool', toolName: sentName(toolChoice.toolName) },
    }),
  }
}

/** The names of tools by those under which they are sent, where these differ. */
const namesBack = ({ tools = [] }: LanguageModelV4CallOptions): ReadonlyMap<string, string> =>
  new Map(tools.flatMap(({ name }) => (sentName(name) === name ? [] : [[sentName(name), name]])))

function renamed<Item extends LanguageModelV4Content | LanguageModelV4StreamPart>(
  part: Item,
  names: ReadonlyMap<string, string>,
): Item {
  if (!('toolName' in part)) return part
  const toolName = names.get(part.toolName)
  return toolName === undefined ? part : { ...part, toolName }
}

const renaming = (names: ReadonlyMap<string, string>) =>
  new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
    transform: (part, controller) => controller.enqueue(renamed(part, names)),
  })
