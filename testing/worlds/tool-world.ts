import type { UIMessage } from 'ai'
import { type changeContext, readContext } from '@/lib/conversations'
import type { ContextChange } from '@/lib/protocol'
import type { Services } from '@/lib/runtime'
import type { ChatRequest, ScriptedReply } from '@/testing/machines/openai-server'
import type { DatabaseKind } from './open-stores'
import {
  type Ask,
  openPage,
  openTurnWorld,
  putContext,
  seedChat,
  type TurnWorld,
  takeTurn,
} from './turn-world'

type Tool = Extract<UIMessage['parts'][number], { toolCallId: string }>

/** Ada's chats with a scripted model that calls tools. */
export interface ToolWorld {
  world: TurnWorld
  services: Services
  /** a new chat whose branch has a first question, its answer, and these tools switched on */
  begin(tools: ContextChange['tools']): Promise<string>
  context(chatId: string, branch?: string): ReturnType<typeof readContext>
  change(chatId: string, change: Partial<ContextChange>, branch?: string): ReturnType<typeof changeContext>
  /** a turn to its end; answers the last message of the branch it is on */
  say(turn: Ask): Promise<{ branchId: string; messages: UIMessage[]; last: UIMessage }>
  close(): Promise<void>
}

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

export async function openToolWorld(
  kind: DatabaseKind,
  env: Record<string, string> = {},
): Promise<ToolWorld> {
  const world = await openTurnWorld(kind)
  const services = await world.process({ RAMIFY_PRIVATE_ADDRESSES: 'on', ...env })
  const { ports } = services
  const context: ToolWorld['context'] = (chatId, branch) =>
    readContext(ports, { ownerId: 'ada', chatId, branch })
  const change: ToolWorld['change'] = (chatId, changed, branch) =>
    putContext(services, chatId, changed, branch)
  const say: ToolWorld['say'] = async (turn) => {
    await takeTurn(services, turn)
    const { branchId, window } = await openPage(services, turn.chatId, turn.branch)
    const last = window.messages.at(-1)
    if (!last) throw new Error('The branch is empty')
    return { branchId, messages: window.messages, last }
  }
  return {
    ...{ world, services, context, change, say },
    async begin(tools) {
      const { chatId } = await seedChat(services, ['Hello', 'Noted.'])
      world.answer = () => 'Noted.'
      await change(chatId, { tools })
      return chatId
    },
    close: () => world.close(),
  }
}
