import type { ChatSummary } from '@/lib/protocol'

/** A chat as the list has it, called by its id. */
export const listedChat = (id: string, over: Partial<ChatSummary> = {}): ChatSummary => ({
  id,
  title: id,
  createdAt: 0,
  updatedAt: 0,
  pinnedAt: null,
  archivedAt: null,
  tags: [],
  messageCount: 2,
  branchCount: 1,
  waits: false,
  agent: null,
  origin: null,
  costUsd: null,
  replying: false,
  ...over,
})
