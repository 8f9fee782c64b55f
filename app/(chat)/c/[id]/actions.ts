'use server'

import { z } from 'zod'
import { mergeModes } from '@/lib/events'
import type { ChatActions, GraphDelta } from '@/lib/protocol'
import { auditAs, defineAction, keepAwake } from '@/lib/server'
import * as chats from '@/lib/server/use-cases'

// no id and no name holds NUL, and Postgres takes none
const text = z.string().refine((value) => !value.includes('\0'), 'must not contain the NUL character')
const id = text.min(1).max(128)
const name = text.max(1000)
const position = z.number().int().min(0)
const inChat = z.object({ chatId: id })
const onBranch = inChat.extend({ branchId: id })

export const rewind: ChatActions['rewind'] = defineAction(
  onBranch.extend({ messageId: id, joins: position.optional() }),
  chats.rewind,
)

export const switchBranch: ChatActions['switchBranch'] = defineAction(onBranch, chats.switchBranch)

export const chooseModel: ChatActions['chooseModel'] = defineAction(
  onBranch.extend({ model: text.min(1).max(200) }),
  async (ports, { branchId, ...input }) => ({
    delta: await chats.chooseModel(ports, { ...input, branch: branchId }),
  }),
)

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

const fannedOut = inChat.extend({
  branch: id.optional(),
  models: z.array(text.min(1).max(200)).max(50),
  contexts: z
    .array(z.strictObject({ contextId: id.optional(), preset: chats.presetContent.optional() }))
    .max(50)
    .default([{}]),
})

export const fanOut: ChatActions['fanOut'] = defineAction(
  z.union([
    fannedOut.extend({ message: z.unknown(), expectedHead: id.nullable() }),
    fannedOut.extend({ messageId: id }),
  ]),
  async (ports, { models, contexts, ...input }) => {
    const asked = 'message' in input ? { ...input, message: chats.parseUserMessage(input.message) } : input
    const { ended, ...begun } = await chats.fanOut(ports, {
      ...asked,
      targets: contexts.flatMap((context) => models.map((model) => ({ ...context, model }))),
    })
    keepAwake(ports, ended)
    return begun
  },
)

export const keepBranch: ChatActions['keepBranch'] = defineAction(
  onBranch.extend({ otherIds: z.array(id).max(50) }),
  chats.keepBranch,
)

export const leaveOut: ChatActions['leaveOut'] = defineAction(
  onBranch.extend({ messageIds: z.array(id).min(1).max(1000), leftOut: z.boolean() }),
  withDelta(chats.leaveMessagesOut),
)

export const undoMove: ChatActions['undoMove'] = defineAction(
  inChat.extend({ moveSeq: position.optional(), to: position.optional() }),
  chats.undoMove,
)

export const redoMove: ChatActions['redoMove'] = defineAction(inChat, chats.redoMove)

export const replay: ChatActions['replay'] = defineAction(
  onBranch.extend({
    replayId: id,
    fromId: id.optional(),
    model: name.optional(),
    context: id.optional(),
    content: z.string().optional(),
    anyway: z.boolean().optional(),
  }),
  chats.startReplay,
)

export const steerReplay: ChatActions['steerReplay'] = defineAction(
  inChat.extend({ replayId: id, action: z.enum(['pause', 'resume', 'stop']) }),
  chats.steerReplay,
)

export const steerTo: ChatActions['steerTo'] = defineAction(
  onBranch.extend({ agentId: id, messageId: id, text: z.string().optional() }),
  chats.steerTo,
)

export const stopSteering: ChatActions['stopSteering'] = defineAction(onBranch, withDelta(chats.stopSteering))

const wording = text.max(20_000)
const conflict = z.object({
  id: text.max(300),
  about: wording,
  source: wording.nullable(),
  target: wording.nullable(),
  sourceMessageId: id.optional(),
  targetMessageId: id.optional(),
})

const reviewed = inChat.extend({
  targetId: id,
  brief: z.string().optional(),
  quotes: z
    .array(z.object({ messageId: id, text: wording }))
    .max(200)
    .optional(),
  conflicts: z.array(conflict).max(1000).optional(),
  resolutions: z
    .record(text, z.union([z.enum(['source', 'target']), z.object({ text: wording })]))
    .optional(),
})

export const mergeBranches: ChatActions['mergeBranches'] = defineAction(
  reviewed.extend({ sourceId: id, mode: z.enum(mergeModes) }),
  chats.mergeBranches,
)

export const takeProposal: ChatActions['takeProposal'] = defineAction(
  reviewed.extend({
    proposalId: id,
    headId: id,
    mode: z.enum([...mergeModes, 'messages']),
    messageIds: z.array(id).max(500).optional(),
  }),
  chats.takeProposal,
)

export const pickMessages: ChatActions['pickMessages'] = defineAction(
  onBranch.extend({ messageIds: z.array(id) }),
  chats.pickMessages,
)

export const compactBranch: ChatActions['compactBranch'] = defineAction(
  onBranch.extend({ messageId: id.optional(), summary: z.string() }),
  chats.compactBranch,
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
