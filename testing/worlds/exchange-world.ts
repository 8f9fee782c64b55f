import { NotFoundError } from '@/lib/context'
import {
  DivergedObjectsError,
  type Exchange,
  NotFastForwardError,
  type Ports,
  packChat,
  type RemoteServer,
  readChatRefs,
  receivePush,
} from '@/lib/conversations'
import { newId } from '@/lib/events'
import { ChatReads, type DrizzleContextStore, ExchangeReads, Files } from '@/lib/store'

/** A person's server, as chats are exchanged with it: another person of the same store is another server. */
export function exchangeServer(store: DrizzleContextStore, ownerId: string) {
  const { database } = store
  const ports = {
    store,
    exchange: new ExchangeReads(database),
    reads: new ChatReads(database),
    files: new Files(database),
    importing: { open: () => Promise.reject(new Error('no import')), fileBytes: 1024 * 1024 },
    clock: Date.now,
    newId,
  } satisfies Partial<Ports>
  return {
    ownerId,
    store,
    ports,
    /** This server as the others reach it; `passing` stands between, and may cut or change lines. */
    reached(
      passing: (lines: AsyncIterable<string>) => AsyncIterable<string> = (lines) => lines,
    ): RemoteServer {
      return {
        refs: (chatId) =>
          readChatRefs(ports, { ownerId, chatId }).catch((error: unknown) => {
            if (error instanceof NotFoundError) return null
            throw error
          }),
        async *fetch(chatId, asked) {
          yield* passing(await packChat(ports, { ownerId, chatId, ...asked }))
        },
        async push(chatId, lines, updates) {
          try {
            const { updated } = await receivePush(ports, { ownerId, chatId, lines: passing(lines), updates })
            return { outcome: 'updated', updated }
          } catch (error) {
            if (error instanceof NotFastForwardError)
              return { outcome: 'not_fast_forward', reason: error.message }
            if (error instanceof DivergedObjectsError)
              return { outcome: 'diverged_objects', reason: error.message }
            throw error
          }
        },
      }
    },
    /** Given a remote of this person: its id. */
    async remote(name: string): Promise<string> {
      const id = newId()
      await database.query('insert into remotes (id, user_id, name, url) values ($1, $2, $3, $4)', [
        id,
        ownerId,
        name,
        'https://work.example.org',
      ])
      return id
    },
    /** The messages of the owner's chat by id, as objects that are equal on every server. */
    async messages(chatId: string) {
      const chat = await ports.exchange.standing(chatId, ownerId)
      if (!chat) return new Map<string, string>()
      const stored = await store.getMessages(chat.chatId)
      return new Map(
        stored.map(({ id, parentId, mergeParentId, name, data, createdAt }) => [
          id,
          JSON.stringify([parentId, mergeParentId ?? null, name, data, createdAt]),
        ]),
      )
    },
    /** The heads of the owner's branches by name, archived ones left out. */
    async heads(chatId: string) {
      const chat = await ports.exchange.standing(chatId, ownerId)
      const shown = chat?.branches.filter(({ isArchived }) => !isArchived) ?? []
      return Object.fromEntries(shown.map(({ name, messageId }) => [name, messageId]))
    },
  }
}

export type ExchangeServer = ReturnType<typeof exchangeServer>

/** An exchange of a chat of one server with another one. */
export const between = (
  here: ExchangeServer,
  there: RemoteServer,
  { chatId, remoteId, name = 'work' }: { chatId: string; remoteId: string; name?: string },
): Exchange => ({ ownerId: here.ownerId, chatId, remote: { id: remoteId, name }, server: there })

export async function linesOfPack(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = []
  for await (const line of lines) all.push(line)
  return all
}
