import type { Change, Committed, Step } from '../change'
import { NotFoundError } from '../errors'
import { appendMessages } from './append-messages'
import { Journal } from './journal'
import { logChatEvent } from './log-event'
import type { MemoryChat, MemoryChats, Work } from './memory-chat'
import {
  archiveBranch,
  removeCheckpoint,
  renameBranch,
  saveCheckpoint,
  switchBranch,
  unarchiveBranch,
  updateChat,
} from './move-refs'
import { addBranch, openBranch } from './open-branch'
import { finishRun, queueRun } from './run-steps'

/**
 * What `commit_change` of `drizzle/0002_commit.sql` does, event for event: all steps in order, or none of them.
 *
 * @param change checked, and shared with nobody: its parts are kept
 * @throws the refusals of `ContextStore.commit`; `chats` is then as it was
 */
export function applyChange(chats: MemoryChats, change: Change): Committed {
  const journal = new Journal()
  try {
    return apply(chats, change, journal)
  } catch (error) {
    journal.rollback()
    throw error
  }
}

function apply(chats: MemoryChats, change: Change, journal: Journal): Committed {
  const created = change.create !== undefined && !chats.has(change.chatId)
  if (change.create && created) journal.set(chats, change.chatId, emptyChat(change, change.create))
  const chat = chats.get(change.chatId)
  if (!chat || (change.ownerId != null && chat.chat.userId !== change.ownerId)) {
    throw new NotFoundError('chat', change.chatId)
  }
  const work: Work = {
    chats,
    chat,
    at: change.at,
    journal,
    touched: new Set(),
    marks: new Set(),
    unmarked: [],
    placed: [],
  }
  for (const context of change.contexts ?? []) {
    if (!chat.contexts.has(context.id)) journal.set(chat.contexts, context.id, context)
  }
  if (change.create && created) begin(work, change.create)
  for (const step of change.steps) applyStep(work, step)
  const updatedAt = Math.max(chat.chat.updatedAt, change.at)
  journal.assign(chat, { chat: { ...chat.chat, updatedAt } })
  return answer(work, created)
}

function emptyChat(change: Change, create: NonNullable<Change['create']>): MemoryChat {
  const { userId, title, metadata = {}, branchId } = create
  return {
    chat: {
      id: change.chatId,
      userId,
      ...(title == null ? {} : { title }),
      metadata,
      createdAt: change.at,
      updatedAt: change.at,
    },
    activeBranchId: branchId,
    lanes: [],
    messages: new Map(),
    branches: new Map(),
    checkpoints: new Map(),
    contexts: new Map(),
    runs: new Map(),
    events: [],
    lastNumbers: new Map(),
    recorded: new Map(),
  }
}

function begin(work: Work, create: NonNullable<Change['create']>): void {
  const { title, metadata } = work.chat.chat
  addBranch(work, {
    id: create.branchId,
    name: create.branchName ?? 'main',
    head: null,
    parentBranchId: null,
    fromEventNumber: 0,
    contextId: create.contextId ?? null,
  })
  if (title !== undefined) logChatEvent(work, 'ChatRenamed', { title })
  if (Object.keys(metadata).length > 0) logChatEvent(work, 'ChatUpdated', { metadata })
}

function applyStep(work: Work, step: Step): void {
  switch (step.kind) {
    case 'append':
      appendMessages(work, step)
      break
    case 'open-branch':
      openBranch(work, step)
      break
    case 'switch-branch':
      switchBranch(work, step)
      break
    case 'rename-branch':
      renameBranch(work, step)
      break
    case 'archive-branch':
      archiveBranch(work, step)
      break
    case 'unarchive-branch':
      unarchiveBranch(work, step)
      break
    case 'save-checkpoint':
      saveCheckpoint(work, step)
      break
    case 'remove-checkpoint':
      removeCheckpoint(work, step)
      break
    case 'update-chat':
      updateChat(work, step)
      break
    case 'queue-run':
      queueRun(work, step)
      break
    case 'finish-run':
      finishRun(work, step)
      break
    default: {
      const unknown: never = step
      throw new Error(`unknown step ${JSON.stringify(unknown)}`)
    }
  }
}

function answer(work: Work, created: boolean): Committed {
  const { chat } = work
  return {
    seq: chat.events.length,
    created,
    title: chat.chat.title ?? null,
    activeBranchId: chat.activeBranchId,
    placed: work.placed,
    branches: [...chat.branches.values()]
      .filter((branch) => work.touched.has(branch.id))
      .map((branch) => {
        const head = branch.headMessageId === null ? undefined : chat.messages.get(branch.headMessageId)
        return { ...branch, headLane: head?.lane ?? null, headDepth: head?.depth ?? null }
      }),
    checkpoints: [...chat.checkpoints.values()].filter((checkpoint) => work.marks.has(checkpoint.name)),
    removedCheckpoints: work.unmarked,
  }
}
