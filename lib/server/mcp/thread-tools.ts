import 'server-only'
import { z } from 'zod'
import * as useCases from '@/lib/conversations'
import { fewestReplies, mostReplies } from '@/lib/protocol/fan-out'
import { branch, branchPath, chatId, key, line, messageId, model, shownBranch, text } from './fields'
import { onceOf } from './opened-branch'
import { defineTool, type ToolCall } from './tool'

// Tools for branches that the caller does not write on itself: replies are asked for, messages copied, agents moved.

interface OnBranch {
  chat_id: string
  branch?: string | undefined
}

/** The branch that is meant. */
const placeOf = ({ ports, ownerId, input }: ToolCall<OnBranch>) =>
  useCases.readBranchPlace(ports, { ownerId, chatId: input.chat_id, branch: input.branch })

const howMany = `${fewestReplies} to ${mostReplies}`

const fanOut = defineTool({
  name: 'fan_out',
  title: 'Ask several times',
  scope: 'write',
  description:
    'Asks for several replies to one message at once, each on a branch of its own: by several models, or several times by one. The replies are written on the server; read them with read_branch, and compare.',
  hints: { destructiveHint: false, openWorldHint: true },
  input: z.strictObject({
    chat_id: chatId,
    branch: branch.optional(),
    text: text.optional().describe('A new message; or give message_id'),
    message_id: messageId.optional().describe('A stored message to answer again, or a reply to it'),
    models: z
      .array(model)
      .min(fewestReplies)
      .max(mostReplies)
      .optional()
      .describe(`provider:model of each reply, ${howMany}; one may be there several times`),
    count: z
      .int()
      .min(fewestReplies)
      .max(mostReplies)
      .optional()
      .describe(`In place of models: so many replies by the model of the branch, ${howMany}`),
    idempotency_key: key,
  }),
  output: z.object({
    chat_id: z.string(),
    message_id: z.string().describe('The message that is answered'),
    branches: z.array(z.object({ branch_id: z.string(), model: z.string() })),
  }),
  async use(call) {
    const { ports, ownerId, input } = call
    const { models, count, message_id } = input
    if ((models === undefined) === (count === undefined)) throw oneOf('models and count')
    if ((input.text === undefined) === (message_id === undefined)) throw oneOf('text and message_id')
    const { id: threadId } = await placeOf(call)
    const answer = await useCases.fanOutOnce(ports, {
      ownerId,
      threadId,
      once: onceOf('fan_out', input),
      targets: models?.map((each) => ({ model: each })) ?? Array.from({ length: count ?? 0 }, () => ({})),
      ...(message_id === undefined ? { content: input.text ?? '' } : { messageId: message_id }),
    })
    return {
      chat_id: answer.chat_id,
      message_id: answer.message_id,
      branches: answer.threads.map((each) => ({ branch_id: each.thread_id, model: each.model })),
    }
  },
  text: ({ chat_id, branches }) =>
    [
      `${branches.length} replies are being written in chat ${chat_id}; read_branch has each:`,
      ...branches.map((each) => `- branch ${each.branch_id} by ${each.model}`),
    ].join('\n'),
})

const oneOf = (names: string) => new useCases.InvalidRequestError(`Give one of ${names}.`)

const cherryPick = defineTool({
  name: 'cherry_pick',
  title: 'Copy messages to a branch',
  scope: 'write',
  description:
    'Copies messages of a chat to the end of one of its branches, in the order given. The originals stay where they are.',
  hints: { destructiveHint: false },
  input: z.strictObject({
    chat_id: chatId,
    branch: branch
      .optional()
      .describe('The branch that gets them; the one that the chat opens on unless given'),
    message_ids: z.array(messageId).min(1).max(1000).describe('The messages, of any branch of the chat'),
    idempotency_key: key,
  }),
  output: z.object({
    ...shownBranch,
    message_ids: z.array(z.string()).describe('The copies'),
  }),
  async use(call) {
    const { ports, ownerId, pageUrl: pageAt, input } = call
    const { id: threadId, name } = await placeOf(call)
    const once = onceOf('cherry_pick', input)
    const picked = await useCases.cherryPick(ports, {
      ownerId,
      threadId,
      once,
      messageIds: input.message_ids,
    })
    return {
      chat_id: picked.chat_id,
      branch_id: picked.thread_id,
      branch: name,
      page_url: pageAt(branchPath(picked.chat_id, name)),
      message_ids: picked.message_ids,
    }
  },
  text: ({ branch: name, message_ids, page_url }) =>
    `Branch ${name} ends with ${message_ids.length} more messages. ${page_url}`,
})

const replay = defineTool({
  name: 'replay',
  title: 'Ask the messages again',
  scope: 'write',
  description:
    'Asks the messages of a branch again, one after the other, on a new branch: with another model, in another context, or with other words in the first one. The replies are written on the server; read the new branch with read_branch.',
  hints: { destructiveHint: false, openWorldHint: true },
  input: z.strictObject({
    chat_id: chatId,
    branch: branch.optional(),
    from_message_id: messageId.optional().describe('The first to ask again; all of the branch unless given'),
    model: model.optional().describe('provider:model; that of the branch unless given'),
    context: line
      .max(128)
      .optional()
      .describe(
        'original: as it was at the first message, unless given; current: as it is on the branch now',
      ),
    text: text.optional().describe('Said in place of the text of the first message'),
    idempotency_key: key,
  }),
  output: z.object({
    chat_id: z.string(),
    branch_id: z.string(),
    replay_id: z.string(),
    message_id: z
      .string()
      .nullable()
      .describe('The first message; null while the replay waits, because something is missing'),
  }),
  async use(call) {
    const { ports, ownerId, input } = call
    const { id: threadId } = await placeOf(call)
    const begun = await useCases.replayThread(ports, {
      ownerId,
      threadId,
      once: onceOf('replay', input),
      content: input.text,
      fromId: input.from_message_id,
      model: input.model,
      context: input.context,
    })
    return {
      chat_id: begun.chat_id,
      branch_id: begun.thread_id,
      replay_id: begun.replay_id,
      message_id: begun.message_id,
    }
  },
  text: ({ chat_id, branch_id, message_id }) =>
    message_id === null
      ? `The replay on branch ${branch_id} of chat ${chat_id} waits: files, tools or the model are missing. A person goes on in Ramify.`
      : `The messages are asked again on branch ${branch_id} of chat ${chat_id}; read_branch has the replies.`,
})

const steer = defineTool({
  name: 'steer',
  title: 'Move another agent',
  scope: 'write',
  description:
    'Has another agent, which writes on a branch through Ramify, go on from the end of another branch of the chat with its next call, or from a message, where text says something first. For your own conversation use rewind.',
  hints: { destructiveHint: false },
  input: z.strictObject({
    chat_id: chatId,
    branch: branch.describe('The branch that the agent writes on, by name or id'),
    to: branch.nullable().optional().describe('The branch to go on with; null takes the steering back'),
    message_id: messageId.optional().describe('In place of to: the message to go on from'),
    text: text.optional().describe('With message_id: what is said there first'),
  }),
  output: z.object({
    chat_id: z.string(),
    branch_id: z.string(),
    to_branch_id: z.string().nullable(),
  }),
  async use(call) {
    const { ports, ownerId, input } = call
    const { chat_id, to, message_id, text: said } = input
    if ((to === undefined) === (message_id === undefined)) throw oneOf('to and message_id')
    if (message_id === undefined) {
      if (said !== undefined)
        throw new useCases.InvalidRequestError('text stands below a message: give message_id, not to.')
      const steered = { ownerId, chatId: chat_id, branch: input.branch, to: to ?? null }
      const { branchId, targetId } = await useCases.steerAgent(ports, steered)
      return { chat_id, branch_id: branchId, to_branch_id: targetId }
    }
    const { id: branchId } = await placeOf(call)
    const moved = await useCases.inCalledChat(ports, { ownerId, chatId: chat_id }, (chat) =>
      useCases.steerTo(ports, {
        ...chat,
        agentId: branchId,
        branchId,
        messageId: message_id,
        text: said,
        activate: false,
      }),
    )
    return { chat_id, branch_id: branchId, to_branch_id: moved.branchId }
  },
  text: ({ branch_id, to_branch_id }) =>
    to_branch_id === null
      ? `The agent on branch ${branch_id} goes on where it is.`
      : `The agent on branch ${branch_id} goes on on branch ${to_branch_id} with its next call.`,
})

const leaveOut = defineTool({
  name: 'leave_out',
  title: 'Leave messages out of the prompt',
  scope: 'write',
  description:
    'Leaves messages of a branch out of what its next replies read, or puts them back. The chain, search and export keep them. A tool call goes with its answer.',
  hints: { destructiveHint: false, idempotentHint: true },
  input: z.strictObject({
    chat_id: chatId,
    branch: branch.optional(),
    message_ids: z.array(messageId).min(1).max(1000).describe('Messages of the branch'),
    left_out: z.boolean().default(true).describe('False puts the messages back'),
    idempotency_key: key,
  }),
  output: z.object({ chat_id: z.string(), branch_id: z.string(), context_id: z.string() }),
  async use(call) {
    const { ports, ownerId, input } = call
    const { id: threadId } = await placeOf(call)
    const {
      chat_id,
      thread_id,
      context_id = '',
    } = await useCases.moveThreadOnce(ports, {
      ownerId,
      threadId,
      once: onceOf('leave_out', input),
      move: 'leave-out',
      messageIds: input.message_ids,
      leftOut: input.left_out,
    })
    return { chat_id, branch_id: thread_id, context_id }
  },
  text: ({ chat_id, branch_id }) =>
    `The next replies on branch ${branch_id} of chat ${chat_id} read the prompt without them, or with them again.`,
})

export const threadTools = [fanOut, cherryPick, replay, leaveOut, steer]
