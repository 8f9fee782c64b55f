'use server'

import { z } from 'zod'
import type { ChatActions, GraphDelta } from '@/lib/protocol'
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

type Use<Input> = (...args: [Parameters<typeof chats.renameChat>[0], Input]) => Promise<GraphDelta>

/** A use case that resolves to a delta, as an action: its value has the delta under a name. */
const withDelta =
  <Input>(use: Use<Input>) =>
  async (...args: Parameters<Use<Input>>) => ({ delta: await use(...args) })

export const saveCheckpoint: ChatActions['saveCheckpoint'] = defineAction(
  inChat.extend({ messageId: id, name }),
  withDelta(chats.saveCheckpoint),
)

export const removeCheckpoint: ChatActions['removeCheckpoint'] = defineAction(
  inChat.extend({ name }),
  withDelta(chats.removeCheckpoint),
)

export const restoreCheckpoint: ChatActions['restoreCheckpoint'] = defineAction(
  onBranch.extend({ name }),
  chats.restoreCheckpoint,
)

export const renameBranch: ChatActions['renameBranch'] = defineAction(
  onBranch.extend({ name }),
  withDelta(chats.renameBranch),
)

export const archiveBranch: ChatActions['archiveBranch'] = defineAction(
  onBranch.extend({ switchTo: id.optional() }),
  withDelta(chats.archiveBranch),
)

export const unarchiveBranch: ChatActions['unarchiveBranch'] = defineAction(
  onBranch,
  withDelta(chats.unarchiveBranch),
)

export const renameChat: ChatActions['renameChat'] = defineAction(
  inChat.extend({ title: name }),
  withDelta(chats.renameChat),
)

export const deleteChat: ChatActions['deleteChat'] = defineAction(inChat, async (ports, input, viewer) => {
  await chats.deleteChat(ports, input)
  await auditAs(viewer, 'chat_deleted', { chat: input.chatId })
  return {}
})
