import { assistant, ContextEngine, type ContextStore, message, role, XmlRenderer } from '@ramify/context'
import {
  consumeStream,
  convertToModelMessages,
  createUIMessageStreamResponse,
  generateId,
  type LanguageModel,
  streamText,
  toUIMessageStream,
  type UIMessage,
} from 'ai'

/** What the browser sends (`chat.tsx`): the new message alone, since the store has the others. */
export interface ChatRequest {
  id: string
  trigger: 'submit-message' | 'regenerate-message'
  message?: UIMessage
}

/** The handlers of a route, such as `app/api/chat/route.ts`. */
export function chatRoute(options: { store: ContextStore; model: LanguageModel; userId: string }) {
  const { store, model, userId } = options
  const open = (chatId: string) =>
    new ContextEngine({ store, chatId, userId }).set(role('You are a travel agent.'))
  const read = async (context: ContextEngine) => {
    const { systemPrompt, messages } = await context.resolve({ renderer: new XmlRenderer() })
    return { systemPrompt, messages: messages as UIMessage[] }
  }

  /** The messages that a page begins with. */
  async function GET(request: Request): Promise<Response> {
    const context = open(new URL(request.url).searchParams.get('id') ?? '')
    return Response.json((await read(context)).messages)
  }

  /** Stores the message, streams the reply, and stores the reply. */
  async function POST(request: Request): Promise<Response> {
    const { id, trigger, message: said }: ChatRequest = await request.json()
    const context = open(id)
    if (trigger === 'regenerate-message') {
      // the first reply stays on its branch
      const question = (await read(context)).messages.findLast(({ role }) => role === 'user')
      if (question) await context.rewind(question.id)
    } else if (said) await context.set(message(said)).save()

    const { systemPrompt, messages } = await read(context)
    const { stream } = streamText({
      model,
      instructions: systemPrompt,
      messages: await convertToModelMessages(messages),
    })
    return createUIMessageStreamResponse({
      stream: toUIMessageStream({
        stream,
        generateMessageId: generateId,
        onEnd: async ({ responseMessage }) => {
          await context.set(assistant(responseMessage)).save()
        },
      }),
      // the reply is stored also when the browser leaves
      consumeSseStream: consumeStream,
    })
  }

  return { GET, POST }
}
