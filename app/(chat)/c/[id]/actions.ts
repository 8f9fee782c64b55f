'use server'

import { z } from 'zod'
import type { ChatActions } from '@/lib/protocol'
import { auditAs, defineAction } from '@/lib/server'
import * as chats from '@/lib/server/use-cases'

// no id and no name holds NUL, and Postgres takes none
const text = z.string().refine((value) => !value.includes('\0'), 'must not contain the NUL character')
const id = text.min(1).max(128)
const name = text.max(1000)
const inChat = z.object({ chatId: id })
const onBranch = inChat.extend({ branchId: id })

export const rewind: ChatActions['rewind'] = defineAction(onBranch.extend({ messageId: id }), chats.rewind)

export const switchBranch: ChatActions['switchBranch'] = defineAction(onBranch, chats.switchBranch)

export const saveCheckpoint: ChatActions['saveCheckpoint'] = defineAction(
  inChat.extend({ messageId: id, name }),
  async (ports, input) => ({ delta: await chats.saveCheckpoint(ports, input) }),
)

export const removeCheckpoint: ChatActions['removeCheckpoint'] = defineAction(
  inChat.extend({ name }),
  async (ports, input) => ({ delta: await chats.removeCheckpoint(ports, input) }),
)

export const restoreCheckpoint: ChatActions['restoreCheckpoint'] = defineAction(
  onBranch.extend({ name }),
  chats.restoreCheckpoint,
)

export const renameBranch: ChatActions['renameBranch'] = defineAction(
  onBranch.extend({ name }),
  async (ports, input) => ({ delta: await chats.renameBranch(ports, input) }),
)

export const archiveBranch: ChatActions['archiveBranch'] = defineAction(
  onBranch.extend({ switchTo: id.optional() }),
  async (ports, { switchTo, ...input }) => ({
    delta: await chats.archiveBranch(ports, { ...input, ...(switchTo ? { switchTo } : {}) }),
  }),
)

export const unarchiveBranch: ChatActions['unarchiveBranch'] = defineAction(
  onBranch,
  async (ports, input) => ({
    delta: await chats.unarchiveBranch(ports, input),
  }),
)

export const renameChat: ChatActions['renameChat'] = defineAction(
  inChat.extend({ title: name }),
  async (ports, input) => ({ delta: await chats.renameChat(ports, input) }),
)

export const deleteChat: ChatActions['deleteChat'] = defineAction(inChat, async (ports, input, viewer) => {
  await chats.deleteChat(ports, input)
  await auditAs(viewer, 'chat_deleted', { chat: input.chatId })
  return {}
})
