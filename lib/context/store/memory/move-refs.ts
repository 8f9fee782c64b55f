import type { BranchId } from '@/lib/events'
import type { Step } from '../change'
import { BranchActiveError, NotFoundError } from '../errors'
import { logChatEvent } from './log-event'
import type { MemoryBranch, Work } from './memory-chat'
import { activate, findMessage, isNameTaken, nameTaken } from './open-branch'

type StepOf<K extends Step['kind']> = Extract<Step, { kind: K }>

/** Opens the chat on this branch from now on; the branch it opens on already is left as it is. */
export function switchBranch(work: Work, step: StepOf<'switch-branch'>): void {
  const branch = findBranch(work, step.branchId)
  if (work.chat.activeBranchId !== branch.id) activate(work, branch.id)
}

export function renameBranch(work: Work, step: StepOf<'rename-branch'>): void {
  const branch = findBranch(work, step.branchId)
  if (branch.name === step.name) return
  if (isNameTaken(work, step.name)) throw nameTaken(step.name)
  work.journal.set(work.chat.branches, branch.id, { ...branch, name: step.name })
  logChatEvent(work, 'BranchRenamed', {
    branch_id: branch.id,
    name: step.name,
    previous_name: branch.name,
  })
}

export function archiveBranch(work: Work, step: StepOf<'archive-branch'>): void {
  const branch = findBranch(work, step.branchId)
  if (branch.archivedAt !== null) return
  if (work.chat.activeBranchId === branch.id) {
    throw new BranchActiveError(`Branch "${branch.name}" is the one the chat opens on: switch first`)
  }
  work.journal.set(work.chat.branches, branch.id, { ...branch, archivedAt: work.at })
  logChatEvent(work, 'BranchArchived', { branch_id: branch.id })
}

export function unarchiveBranch(work: Work, step: StepOf<'unarchive-branch'>): void {
  const branch = findBranch(work, step.branchId)
  if (branch.archivedAt === null) return
  work.journal.set(work.chat.branches, branch.id, { ...branch, archivedAt: null })
  logChatEvent(work, 'BranchRestored', { branch_id: branch.id })
}

/** A new name is saved; a known one moves, and keeps its id (seeds/000, “UNIQUE Constraint”). */
export function saveCheckpoint(work: Work, step: StepOf<'save-checkpoint'>): void {
  const { chat, journal, at } = work
  const { name, messageId } = step
  findMessage(work, messageId)
  const before = chat.checkpoints.get(name)
  const id = before?.id ?? step.checkpointId
  journal.set(chat.checkpoints, name, { id, chatId: chat.chat.id, name, messageId, createdAt: at })
  work.marks.add(name)
  if (!before) logChatEvent(work, 'CheckpointSaved', { name, message_id: messageId, checkpoint_id: id })
  else {
    const payload = { name, message_id: messageId, from_message_id: before.messageId }
    logChatEvent(work, 'CheckpointMoved', payload)
  }
}

export function removeCheckpoint(work: Work, step: StepOf<'remove-checkpoint'>): void {
  const checkpoint = work.chat.checkpoints.get(step.name)
  if (!checkpoint) throw new NotFoundError('checkpoint', step.name)
  work.journal.delete(work.chat.checkpoints, step.name)
  work.unmarked.push(step.name)
  logChatEvent(work, 'CheckpointRemoved', { name: step.name, message_id: checkpoint.messageId })
}

/** Title and metadata; metadata is merged key by key. */
export function updateChat(work: Work, step: StepOf<'update-chat'>): void {
  const { chat } = work
  if (step.title != null && step.title !== chat.chat.title) {
    work.journal.assign(chat, { chat: { ...chat.chat, title: step.title } })
    logChatEvent(work, 'ChatRenamed', { title: step.title })
  }
  if (step.metadata != null) {
    const metadata = { ...chat.chat.metadata, ...step.metadata }
    work.journal.assign(chat, { chat: { ...chat.chat, metadata } })
    logChatEvent(work, 'ChatUpdated', { metadata: step.metadata })
  }
}

export function findBranch(work: Work, id: BranchId): MemoryBranch {
  const branch = work.chat.branches.get(id)
  if (!branch) throw new NotFoundError('branch', id)
  work.touched.add(id)
  return branch
}
