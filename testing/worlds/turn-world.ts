import { parseUserMessage, readChat, type TurnRequest } from '@/lib/conversations'
import { schema } from '@/lib/db'
import { newId } from '@/lib/events'
import { createServices, type Services } from '@/lib/runtime'
import {
  type ChatRequest,
  type OpenAIServer,
  type ScriptedReply,
  startOpenAIServer,
} from '@/testing/machines/openai-server'
import { type DatabaseKind, databaseEnv } from './open-stores'

/** The model the scripted provider serves. */
export const MODEL = 'openai-compatible:scripted'

/** A database, a scripted provider, and any number of processes' services on both. */
export interface TurnWorld {
  provider: OpenAIServer
  /** how the provider answers from now on */
  answer: (request: ChatRequest) => ScriptedReply | Promise<ScriptedReply>
  /** where the database is; undefined when it is embedded */
  url: string | undefined
  /**
   * The services of one more process. An embedded database has only one: it is returned again, with the first `env`.
   *
   * @param env settings besides the database and the provider
   */
  process(env?: Record<string, string>): Promise<Services>
  close(): Promise<void>
}

export async function openTurnWorld(kind: DatabaseKind): Promise<TurnWorld> {
  const database = await databaseEnv(kind)
  const opened: Services[] = []
  const provider = await startOpenAIServer({ answer: (request) => world.answer(request) })
  const world: TurnWorld = {
    provider,
    answer: () => 'Noted.',
    url: database.env.DATABASE_URL || undefined,
    async process(env = {}) {
      const [only] = opened
      if (only && kind === 'pglite') return only
      const services = await createServices({
        ...database.env,
        OPENAI_COMPATIBLE_BASE_URL: provider.url,
        OPENAI_COMPATIBLE_MODELS: 'scripted',
        // tests count the requests for replies
        RAMIFY_TITLES: 'words',
        ...env,
      })
      if (opened.length === 0) {
        await services.database.orm
          .insert(schema.user)
          .values({ id: 'ada', name: 'Ada', email: 'ada@example.org' })
      }
      opened.push(services)
      return services
    },
    async close() {
      for (const { database } of opened) await database.close()
      await database.remove()
      await provider.close()
    },
  }
  return world
}

/** Ada's request: a turn in a chat, or with `trigger` another answer. */
export type Ask = Partial<TurnRequest> & { chatId: string; text?: string; id?: string }

export const ask = ({ text, id, ...rest }: Ask): TurnRequest => ({
  ownerId: 'ada',
  trigger: 'submit-message',
  model: MODEL,
  ...(text === undefined
    ? {}
    : { message: parseUserMessage({ id: id ?? newId(), role: 'user', parts: [{ type: 'text', text }] }) }),
  ...rest,
})

/** A chat as its page opens. */
export const openPage = ({ ports }: Services, chatId: string, branch?: string) =>
  readChat(ports, { ownerId: 'ada', chatId, ...(branch ? { branch } : {}) })

/** A stored message as a line: its role, its text, and its status unless that is done. */
export function lineOf({
  role,
  parts,
  metadata,
}: Awaited<ReturnType<typeof openPage>>['window']['messages'][number]): string {
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  return `${role}: ${text}${metadata?.status ? ` [${metadata.status}]` : ''}`
}

/** The lines of a branch, first to last. */
export async function linesOf(services: Services, chatId: string, branch?: string): Promise<string[]> {
  return (await openPage(services, chatId, branch)).window.messages.map(lineOf)
}
