import type { MessageId } from '@/lib/events'
import type { AppendMessages, NewMessage } from '../change'
import { HeadConflictError, MessageExistsError, NotFoundError } from '../errors'
import type { MessageData } from '../records'
import { logEvent } from './log-event'
import type { MemoryBranch, MemoryMessage, Work } from './memory-chat'
import { addBranch, findMessage, forkPoint, freeName, requireContext } from './open-branch'

type Place = { lane: number; depth: number }

/** Appends a line of messages below the expected head and moves the branch to the last of them. */
export function appendMessages(work: Work, step: AppendMessages): void {
  const { chat, journal } = work
  const asked = chat.branches.get(step.branchId)
  if (!asked) throw new NotFoundError('branch', step.branchId)
  const parent = step.expectedHead === null ? null : findMessage(work, step.expectedHead)
  const branch = asked.headMessageId === step.expectedHead ? asked : openSibling(work, asked, step)
  requireContext(work, step.contextId)
  const contextId = step.contextId ?? branch.contextId ?? undefined

  const { lane, depth, opened } = placeBelow(work, parent)
  let above = step.expectedHead
  for (const [index, message] of step.messages.entries()) {
    store(work, { ...message, contextId: message.contextId ?? contextId }, above, {
      lane,
      depth: depth + index,
    })
    above = message.id
  }
  for (const message of step.messages) checkReferences(work, message)
  if (step.contextId !== undefined && step.contextId !== branch.contextId) {
    logEvent(work, branch.id, 'ContextChanged', { context_id: step.contextId })
  }
  for (const message of step.messages) logMessage(work, branch, message)

  journal.set(chat.branches, branch.id, {
    ...branch,
    headMessageId: above,
    contextId: step.contextId ?? branch.contextId,
  })
  work.touched.add(branch.id)
  work.landed = branch.id
  const count = step.messages.length
  work.placed.push({ branchId: branch.id, lane, depth, count, opened, parentLane: parent?.lane ?? null })
}

/** A reply that finished late becomes a sibling on a branch of its own; any other late write is refused. */
function openSibling(work: Work, branch: MemoryBranch, step: AppendMessages): MemoryBranch {
  if (step.orBranchId === undefined) throw new HeadConflictError(`Branch "${branch.name}" has moved on`)
  const fork = step.expectedHead === null ? undefined : forkPoint(work, step.expectedHead)
  return addBranch(work, {
    id: step.orBranchId,
    name: freeName(work, branch.name),
    head: step.expectedHead,
    parentBranchId: fork?.streamId ?? null,
    fromEventNumber: fork?.eventNumber ?? 0,
    contextId: branch.contextId,
  })
}

/** The first reply stays in its parent's lane; a second one, like every root, opens a new lane. */
function placeBelow(work: Work, parent: MemoryMessage | null): Place & { opened: boolean } {
  const { chat, journal } = work
  const depth = parent ? parent.depth + 1 : 0
  const own = parent && chat.lanes[parent.lane]
  if (parent && own && depth - own.baseDepth === own.ids.length) {
    return { lane: parent.lane, depth, opened: false }
  }
  journal.push(chat.lanes, { parentLane: parent?.lane ?? null, baseDepth: depth, ids: [] })
  return { lane: chat.lanes.length - 1, depth, opened: true }
}

function store(work: Work, message: NewMessage, parentId: MessageId | null, place: Place): void {
  const { chat, journal } = work
  const { preview, reply, contextId, ...given } = message
  if (chat.messages.has(message.id)) throw new MessageExistsError(message.id)
  const record: MessageData = {
    ...given,
    chatId: chat.chat.id,
    parentId,
    ...(contextId === undefined ? {} : { contextId }),
  }
  journal.set(chat.messages, message.id, { record, preview, ...place })
  const lane = chat.lanes[place.lane]
  if (!lane) throw new Error(`Lane ${place.lane} is missing`)
  journal.push(lane.ids, message.id)
}

function checkReferences(work: Work, message: NewMessage): void {
  if (message.mergeParentId !== undefined) findMessage(work, message.mergeParentId)
  if (message.copiedFromId !== undefined) findMessage(work, message.copiedFromId)
  if (message.runId !== undefined && !work.chat.runs.has(message.runId)) {
    throw new NotFoundError('run', message.runId)
  }
  requireContext(work, message.contextId)
}

function logMessage(work: Work, branch: MemoryBranch, message: NewMessage): void {
  const { record } = findMessage(work, message.id)
  const eventNumber =
    message.name === 'assistant'
      ? logEvent(work, branch.id, 'LLMResponseGenerated', {
          ai_message_id: message.id,
          reply_to: record.parentId,
          status: message.status ?? 'completed',
          model: message.reply?.model ?? null,
          usage: message.reply?.usage ?? null,
        })
      : logEvent(work, branch.id, 'UserMessageAdded', { message_id: message.id, role: message.name })
  work.journal.set(work.chat.recorded, message.id, { streamId: branch.id, eventNumber })
  if (message.name !== 'assistant') return
  logEvent(work, branch.id, 'CheckpointCreated', {
    checkpoint_id: `ckpt-${message.id}`,
    ai_message_id: message.id,
    context_id: record.contextId ?? null,
  })
}
