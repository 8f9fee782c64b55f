import { NotFoundError } from '@/lib/context'
import type { BranchId, ChatId, MessageId, UserId } from '@/lib/events'
import { titlesOf } from '@/lib/graph'
import type { ThreadWindow } from '@/lib/protocol'
import { inCalledChat } from '../chats/called-chat'
import { readWindow } from '../chats/read-chat'
import type { Ports } from '../ports'
import { readThreadHead, type ThreadStatus } from '../threads/threads'

interface InChat {
  ownerId: UserId
  /** the owner's id for the chat */
  chatId: ChatId
}

/** Head and status of a branch. */
export interface BranchPlace {
  id: BranchId
  name: string
  headId: MessageId | null
  status: ThreadStatus
}

/** A part of a branch, with the branch's head and status. */
export interface BranchPage extends ThreadWindow {
  branch: BranchPlace
}

/**
 * Messages of a branch: the last ones, those above a depth, or those that end with a given message.
 *
 * @param input.branch a name or an id; by default the branch the chat opens on
 * @throws NotFoundError for a missing or another person's chat, branch or message
 */
export async function readBranch(
  ports: Ports,
  input: InChat & {
    branch?: string | undefined
    before?: number | undefined
    until?: MessageId | undefined
    limit: number
  },
): Promise<BranchPage> {
  const { branch, until, limit } = input
  return inCalledChat(ports, input, async (chat) => {
    const place = await placeOf(ports, { ...chat, branch })
    const before = until === undefined ? input.before : await depthBelow(ports, { ...chat, until })
    const window = await readWindow(ports, {
      ...chat,
      branch: place.id,
      limit,
      ...(before !== undefined && { before }),
    })
    if (until !== undefined && window.messages.at(-1)?.id !== until) throw new NotFoundError('message', until)
    return { ...window, branch: place }
  })
}

/**
 * Reads a branch's head and status.
 *
 * @throws NotFoundError for a missing or another person's chat or branch
 */
export const readBranchPlace = (
  ports: Ports,
  { branch, ...chat }: InChat & { branch?: string | undefined },
): Promise<BranchPlace> => inCalledChat(ports, chat, (called) => placeOf(ports, { ...called, branch }))

async function placeOf(
  ports: Ports,
  { ownerId, chatId, branch }: InChat & { branch?: string | undefined },
): Promise<BranchPlace> {
  const { chat, state } = await ports.reads.branchState(chatId, ownerId, branch)
  if (chat !== 'own') throw new NotFoundError('chat', chatId)
  if (!state) throw new NotFoundError('branch', branch ?? '')
  const { status, headMessageId } = await readThreadHead(ports, { ownerId, threadId: state.branchId })
  return { id: state.branchId, name: state.branchName, headId: headMessageId, status }
}

/** The depth below a message. */
async function depthBelow(
  { reads }: Ports,
  { ownerId, chatId, until }: InChat & { until: MessageId },
): Promise<number> {
  const found = await reads.message(chatId, ownerId, until)
  if (!found) throw new NotFoundError('message', until)
  return found.message.depth + 1
}

/** The refs of a chat. */
export interface ChatOutline {
  chatId: ChatId
  title: string | null
  /** oldest first */
  branches: {
    id: BranchId
    name: string
    title: string
    headId: MessageId | null
    parentId: BranchId | null
    /** true for the branch that the chat opens on */
    isActive: boolean
    isArchived: boolean
  }[]
  checkpoints: { name: string; messageId: MessageId }[]
}

/**
 * The branches and checkpoints of a chat, without its messages.
 *
 * @throws NotFoundError for a missing or another person's chat
 */
export async function readOutline(ports: Ports, input: InChat): Promise<ChatOutline> {
  return inCalledChat(ports, input, async ({ ownerId, chatId }) => {
    const graph = await ports.reads.graphUpTo(chatId, ownerId, 0)
    if (!graph) throw new NotFoundError('chat', chatId)
    const titles = titlesOf(graph.branches.map((branch) => ({ ...branch, first: undefined })))
    return {
      chatId,
      title: graph.title,
      branches: graph.branches.map(({ id, name, headId, parentBranchId: parentId, archivedAt }) => ({
        id,
        name,
        title: titles.get(id) ?? name,
        headId,
        parentId,
        isActive: id === graph.activeBranchId,
        isArchived: archivedAt !== null,
      })),
      checkpoints: graph.checkpoints.map(({ name, messageId }) => ({ name, messageId })),
    }
  })
}
