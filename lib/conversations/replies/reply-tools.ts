import type { ToolSet } from 'ai'
import {
  aboutTokens,
  type ContextData,
  ContextMovedError,
  type Memory,
  NotFoundError,
  planContext,
  type RunRecord,
  type ToolApproval,
} from '@/lib/context'
import { searchChats } from '../chats/read-chat'
import { InvalidRequestError } from '../errors'
import type { AvailableModels, Ports } from '../ports'
import { contextFor, contextOf } from '../turns/context-value'

/** The tools of one reply. */
export interface ReplyTools {
  /** undefined for none */
  set?: ToolSet
  /** tools whose calls wait for a person */
  approval?: Record<string, 'user-approval'>
  /** as the provider gets them, in this order */
  sent: { name: string; description: string; input_schema: unknown }[]
  /** notices for the person: tools that are switched on but not offered */
  notices: string[]
  close(): Promise<void>
}

/** Actions of tools in the person's chats. */
export interface ToolWork {
  now(): number
  search(
    query: string,
  ): Promise<{ chat: string | null; branch: string | null; role: string; text: string; said_at: string }[]>
  remember(memory: { key: string; text: string }): Promise<void>
  forget(key: string): Promise<boolean>
}

/** Selects the tools of a reply. */
export interface ToolWish {
  chatId: string
  model: string
  /** models of the chat's owner, when known already */
  models?: Pick<AvailableModels, 'facts'> | undefined
  choices: Readonly<Record<string, ToolApproval>>
  work: ToolWork
}

/** Finds the tools of replies: Ramify's own tools, and those of the person's servers. */
export interface ToolsPort {
  forReply(wish: ToolWish): Promise<ReplyTools>
}

const none: ReplyTools = { sent: [], notices: [], close: async () => undefined }

/** The tools of a reply, by the choices of its context; most contexts have none. */
export const toolsFor = async (ports: Pick<Ports, 'tools'>, wish: ToolWish): Promise<ReplyTools> =>
  Object.values(wish.choices).every((approval) => approval === 'never') ? none : ports.tools.forReply(wish)

/** The tools that are switched on in a context. */
export const choicesIn = (context: Pick<ContextData, 'setup'> | null | undefined): ToolWish['choices'] =>
  context?.setup?.tools ?? {}

/** About how many tokens tools take of a prompt. */
export const tokensOf = ({ sent }: Pick<ReplyTools, 'sent'>): number =>
  sent.length === 0 ? 0 : aboutTokens([JSON.stringify(sent)])

/** Part of a window left for instructions and messages. */
export const roomBeside = (tools: Pick<ReplyTools, 'sent'>, window: number | null): number | null =>
  window === null ? null : Math.max(1, window - tokensOf(tools))

/** Work for a prompt that is only read: it calls no tool. */
export const idleWork: ToolWork = {
  now: () => 0,
  search: async () => [],
  remember: async () => undefined,
  forget: async () => false,
}

/** Memories of one context: as many as a person may write there. */
const MOST_MEMORIES = 200
/** Times that a memory is tried to be kept while others change the same context. */
const TRIES = 8
const FOUND = 10

/**
 * Binds the actions of tools to a run: its memories are those of its branch, and only its owner's chats are
 * searched.
 */
export function workOf(ports: Ports, run: RunRecord): ToolWork {
  const work = unguarded(ports, run)
  const guard =
    <Input, Answer>(what: string, act: (input: Input) => Promise<Answer>) =>
    async (input: Input): Promise<Answer> => {
      try {
        return await act(input)
      } catch (error) {
        if (error instanceof InvalidRequestError) throw error
        // the model and the thread get no words of the database
        ports.logError(`a tool of run ${run.runId}`, error)
        throw new Error(`${what} Try again later.`)
      }
    }
  return {
    now: work.now,
    search: guard('The chats could not be searched.', work.search),
    remember: guard('This could not be remembered.', work.remember),
    forget: guard('This could not be forgotten.', work.forget),
  }
}

function unguarded(ports: Ports, run: RunRecord): ToolWork {
  const ownerOf = async () => {
    const chat = await ports.store.getChat(run.chatId)
    if (!chat) throw new NotFoundError('chat', run.chatId)
    return chat.userId
  }
  return {
    now: () => ports.clock(),
    async search(query) {
      const { hits } = await searchChats(ports, { ownerId: await ownerOf(), query, limit: FOUND })
      return hits.map(({ chatTitle, branch, role, snippet, createdAt }) => ({
        chat: chatTitle,
        branch: branch?.title ?? null,
        role,
        text: plain(snippet),
        said_at: new Date(createdAt).toISOString(),
      }))
    },
    async remember({ key, text }) {
      await changeMemories(ports, run, await ownerOf(), (memories) => {
        const kept: Memory = { key, text, message_id: run.replyId }
        if (memories.some((memory) => memory.key === key))
          return memories.map((memory) => (memory.key === key ? kept : memory))
        if (memories.length >= MOST_MEMORIES)
          throw new InvalidRequestError(`There are ${MOST_MEMORIES} memories already. Forget one first.`)
        return [...memories, kept]
      })
    },
    async forget(key) {
      let wasKnown = false
      await changeMemories(ports, run, await ownerOf(), (memories) => {
        const left = memories.filter((memory) => memory.key !== key)
        wasKnown = left.length < memories.length
        return left
      })
      return wasKnown
    },
  }
}

/** Changes the memories of a run's branch, in force from its next turn on. Another attempt of the run changes nothing more. */
async function changeMemories(
  ports: Ports,
  { chatId, branchId, model }: Pick<RunRecord, 'chatId' | 'branchId' | 'model'>,
  ownerId: string,
  change: (memories: readonly Memory[]) => Memory[],
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const { state } = await ports.reads.branchState(chatId, ownerId, branchId)
    if (!state) throw new NotFoundError('branch', branchId)
    const current = state.context ?? contextFor(model, null)
    const memories = change(current.setup?.memories ?? [])
    const changed = contextOf({ ...current, setup: { ...current.setup, memories } })
    if (changed.id === state.context?.id) return
    const step = planContext({ branchId, expected: state.context?.id ?? null, contextId: changed.id })
    try {
      await ports.store.commit({ chatId, ownerId, at: ports.clock(), contexts: [changed], steps: [step] })
      return
    } catch (error) {
      // another tool of the same reply, or the person
      if (!(error instanceof ContextMovedError) || tries >= TRIES) throw error
    }
  }
}

/** A snippet of the search as plain text. */
const plain = (html: string): string =>
  html
    .replace(/<\/?mark>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
