import type { UIMessage } from 'ai'
import { afterAll } from 'vitest'
import { readContext } from '@/lib/conversations'
import type { ContextChange } from '@/lib/protocol'
import type { ChatRequest, ScriptedReply } from '@/testing/machines/openai-server'
import type { DatabaseKind } from './open-stores'
import { type Ask, givenWorld, isSound, openPage, putContext, seedChat, takeTurn } from './turn-world'

type Tool = Extract<UIMessage['parts'][number], { toolCallId: string }>

/** The parts of a message that are calls of tools. */
export const callsIn = (message: UIMessage | undefined): Tool[] =>
  (message?.parts ?? []).filter((part): part is Tool => 'toolCallId' in part)

export const textIn = (message: UIMessage | undefined): string =>
  (message?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('')

/** A model that calls these tools first, and then says what it was told. */
export const callsThenSays =
  (...toolCalls: { name: string; input: unknown; id?: string }[]) =>
  (request: ChatRequest): ScriptedReply => {
    const told = toldIn(request)
    return told.length === 0 ? { toolCalls } : `I was told: ${told.join(' / ')}`
  }

/** What tools said since the last question. */
function toldIn({ messages }: ChatRequest): string[] {
  const after = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1)
  return after.flatMap(({ role, content }) => (role === 'tool' ? [String(content)] : []))
}

/** Ada's chats with a scripted model that calls tools, for the tests of a suite; at its end the database is sound. */
export function givenTools(kind: DatabaseKind, env: Record<string, string> = {}) {
  const { world, services } = givenWorld(kind, { RAMIFY_PRIVATE_ADDRESSES: 'on', ...env })
  afterAll(() => isSound(services))
  const change = (chatId: string, changed: Partial<ContextChange>, branch?: string) =>
    putContext(services, chatId, changed, branch)
  return {
    world,
    services,
    change,
    /** a new chat whose branch has a first question, its answer, and these tools switched on */
    async begin(tools: ContextChange['tools']) {
      const { chatId } = await seedChat(services, ['Hello', 'Noted.'])
      world.answer = () => 'Noted.'
      await change(chatId, { tools })
      return chatId
    },
    context: (chatId: string, branch?: string) =>
      readContext(services.ports, { ownerId: 'ada', chatId, branch }),
    /** a turn to its end, and the last message of the branch it is on */
    async say(turn: Ask) {
      await takeTurn(services, turn)
      const { branchId, window } = await openPage(services, turn.chatId, turn.branch)
      const last = window.messages.at(-1)
      if (!last) throw new Error('The branch is empty')
      return { branchId, messages: window.messages, last }
    },
  }
}
