import 'server-only'
import { z } from 'zod'
import * as useCases from '@/lib/conversations'
import { mergeModes } from '@/lib/events'
import { keepAwake } from '../http/background'
import { branch, branchPath, chatId, key, line, messageId, model, pageUrl, shownBranch, text } from './fields'
import { onceOf, opened, openedBranch } from './opened-branch'
import { showMessage, shownMessage } from './shown-message'
import { defineTool, type Progress } from './tool'

const checkpoint = defineTool({
  name: 'checkpoint',
  title: 'Save a checkpoint',
  scope: 'write',
  description:
    'Gives a message of a chat a name, to come back to it later with fork or rewind. A name that exists moves to the message.',
  hints: { destructiveHint: false, idempotentHint: true },
  input: z.strictObject({
    chat_id: chatId,
    name: line.describe('The name of the checkpoint'),
    branch: branch.optional(),
    message_id: messageId.optional().describe('The message; the last one of the branch unless given'),
  }),
  output: z.object({ chat_id: z.string(), checkpoint: z.string(), message_id: z.string() }),
  async use({ ports, ownerId, input: { chat_id, name, branch: on, message_id } }) {
    const chat = { ownerId, chatId: chat_id }
    const at = message_id ?? (await useCases.readBranchPlace(ports, { ...chat, branch: on })).headId
    if (at === null) {
      throw new useCases.InvalidRequestError(
        'This branch has no message yet to give a name to.',
        'empty_branch',
      )
    }
    await useCases.inCalledChat(ports, chat, (called) =>
      useCases.saveCheckpoint(ports, { ...called, messageId: at, name }),
    )
    return { chat_id, checkpoint: name.trim(), message_id: at }
  },
  text: ({ checkpoint: name, message_id }) => `Checkpoint “${name}” stands at message ${message_id}.`,
})

const fork = defineTool({
  name: 'fork',
  title: 'Fork a branch',
  scope: 'write',
  description:
    'Opens a new branch at a message: it has everything up to there and none of what came after. Nothing on the other branch changes, and the person who reads the chat is not moved. Send to the new branch with send_message.',
  hints: { destructiveHint: false },
  input: z.strictObject({
    chat_id: chatId,
    branch: branch.optional(),
    message_id: messageId
      .optional()
      .describe('The last message that the new branch has; the last one of the branch unless given'),
    name: line.optional().describe('A name for the new branch; made from that of the other one unless given'),
    idempotency_key: key,
  }),
  output: openedBranch,
  async use({ ports, ownerId, pageUrl: pageAt, input }) {
    const { chat_id, branch: from, message_id, name } = input
    const forked = await useCases.forkBranch(ports, {
      ownerId,
      chatId: chat_id,
      branch: from,
      messageId: message_id,
      name,
      once: onceOf('fork', input),
    })
    return opened(ports, {
      ownerId,
      chatId: chat_id,
      branchId: forked.thread_id,
      from: forked.from_message_id,
      pageAt,
    })
  },
  text: ({ branch: name, from_message_id, page_url }) =>
    `Branch ${name} begins after message ${from_message_id}. ${page_url}`,
})

/** Seconds to wait for a reply: unless given less than the minute after which most clients give up. */
const [WAIT, LONGEST_WAIT] = [50, 240]
/** Pause between two reports on one reply, in ms. */
const REPORTS = 500

const sendMessage = defineTool({
  name: 'send_message',
  title: 'Send a message',
  scope: 'write',
  description: `Sends a message to a model on a branch and waits for its reply. Without chat_id it begins a chat. The reply is written and stored even if the waiting ends before it: then read it later with read_branch.`,
  hints: { destructiveHint: false, openWorldHint: true },
  input: z.strictObject({
    chat_id: chatId.optional().describe('The chat; without it a new one is begun'),
    branch: branch.optional(),
    text: text.describe('What to say'),
    model: model.optional().describe('provider:model; the model of the branch unless given'),
    expected_head_message_id: messageId
      .optional()
      .describe(
        'The last message of the branch that you know. If another one came meanwhile, nothing is sent',
      ),
    wait_seconds: z
      .int()
      .min(0)
      .max(LONGEST_WAIT)
      .default(WAIT)
      .describe('How long to wait for the reply; 0 returns at once'),
    idempotency_key: key,
  }),
  output: z.object({
    ...shownBranch,
    message_id: z.string().describe('Your message'),
    status: z
      .enum(['completed', 'stopped', 'failed', 'running'])
      .describe('running: the reply is still being written; read_branch has it later'),
    reply: shownMessage.nullable(),
    failure: z.string().nullable().describe('Why there is no whole reply'),
  }),
  async use({ ports, ownerId, signal, report, pageUrl: pageAt, input }) {
    if (input.chat_id === undefined && input.branch !== undefined) {
      throw new useCases.InvalidRequestError('A new chat has no branches to choose from: leave branch out.')
    }
    const told = await useCases.askAndWait(ports, {
      ownerId,
      chatId: input.chat_id,
      branch: input.branch,
      text: input.text,
      model: input.model,
      expectedHead: input.expected_head_message_id,
      key: input.idempotency_key,
      waitMs: input.wait_seconds * 1000,
      signal,
      onProgress: reportsOf(report),
    })
    keepAwake(ports, told.ended)
    const { chatId: chat_id, branchId: branch_id } = told
    const { name } = await useCases.readBranchPlace(ports, { ownerId, chatId: chat_id, branch: branch_id })
    return {
      chat_id,
      branch_id,
      branch: name,
      page_url: pageAt(branchPath(chat_id, name)),
      message_id: told.userMessageId,
      status: told.status,
      reply: told.reply ? showMessage(told.reply) : null,
      failure: told.failure ?? null,
    }
  },
  text({ chat_id, branch: name, status, reply, failure, page_url }) {
    const place = `(chat ${chat_id}, branch ${name}, ${status}; ${page_url})`
    if (status === 'running') {
      return `The reply is still being written. Read it later: read_branch with chat_id ${chat_id} and branch ${name}. ${place}`
    }
    const cut = reply?.rest_cursor ? `\n[cut; read_branch with cursor ${reply.rest_cursor} reads on]` : ''
    const why = failure ? `\n[${failure}]` : ''
    return `${reply?.text ?? 'There is no reply.'}${cut}${why}\n${place}`
  },
})

/** Reports on a reply to a client, some a second. */
function reportsOf(report: (progress: Progress) => void): (progress: useCases.ReplyProgress) => void {
  let told = Number.NEGATIVE_INFINITY
  let steps = 0
  let before = ''
  return ({ status, waiting, letters }) => {
    if (status === before && performance.now() - told < REPORTS) return
    told = performance.now()
    before = status
    steps += 1
    const whose =
      waiting?.for === 'server'
        ? 'the server writes many replies'
        : `${waiting?.writing ?? 0} of your replies are being written`
    report({
      progress: steps,
      message: status === 'queued' ? `The reply waits: ${whose}.` : `${letters} letters are written.`,
    })
  }
}

const conflict = z.object({
  id: z.string(),
  about: z.string(),
  source: z.string().nullable(),
  target: z.string().nullable(),
})

const merge = defineTool({
  name: 'merge',
  title: 'Merge two branches',
  scope: 'write',
  description:
    'Brings what one branch found into another of the same chat. Modes: brief (a summary of what the source decided and found, written by a model unless you give it), turns (copies of its messages), context (its fragments and memories). With preview: true nothing is stored, and you see the brief and where the branches contradict each other.',
  hints: { destructiveHint: false, openWorldHint: true },
  input: z.strictObject({
    chat_id: chatId,
    source: branch.describe('The branch that is merged, by name or id; it stays as it is'),
    target: branch.describe('The branch that it is merged into, by name or id'),
    mode: z.enum(mergeModes).default('brief'),
    preview: z.boolean().default(false),
    brief: z.string().min(1).max(20_000).optional().describe('Your own brief, in Markdown'),
    resolutions: z
      .record(line, z.union([z.enum(['source', 'target']), z.strictObject({ text: line.max(20_000) })]))
      .optional()
      .describe('By the id of a conflict: whose wording counts, or another one'),
    idempotency_key: key,
  }),
  output: z.object({
    chat_id: z.string(),
    merged: z.boolean(),
    message_id: z.string().nullable(),
    page_url: pageUrl,
    brief: z.string().nullable().describe('Of a preview: what the merge would say'),
    conflicts: z.array(conflict).describe('Of a preview: where the branches contradict each other'),
    message_count: z.int().nullable().describe('Of a preview: messages of the source that the target lacks'),
  }),
  async use({ ports, ownerId, signal, pageUrl: pageAt, input }) {
    const { chat_id, mode, brief, resolutions } = input
    const placeOf = (on: string) => useCases.readBranchPlace(ports, { ownerId, chatId: chat_id, branch: on })
    const [source, target] = await Promise.all([placeOf(input.source), placeOf(input.target)])
    const sides = { ownerId, sourceId: source.id, targetId: target.id, mode }
    const place = { chat_id, page_url: pageAt(branchPath(chat_id, target.name)) }
    if (input.preview) {
      const found = await useCases.previewThreads(ports, { ...sides, signal })
      const conflicts = found.conflicts.map(({ id, about, source: one, target: other }) => ({
        id,
        about,
        source: one,
        target: other,
      }))
      return {
        ...place,
        merged: false,
        message_id: null,
        brief: found.brief,
        conflicts,
        message_count: found.count,
      }
    }
    const merged = await useCases.mergeThreads(ports, {
      ...sides,
      brief,
      resolutions,
      once: onceOf('merge', input),
    })
    return {
      ...place,
      merged: true,
      message_id: merged.message_id,
      brief: null,
      conflicts: [],
      message_count: null,
    }
  },
  text({ merged, message_id, brief, conflicts, message_count, page_url }) {
    if (merged) return `Merged: message ${message_id} has both branches as its parents. ${page_url}`
    const open = conflicts.map(
      ({ id, about, source, target }) =>
        `- ${about} (conflict ${id}): ${source ?? '(none)'} | ${target ?? '(none)'}`,
    )
    return [
      `Preview, nothing is stored. ${message_count ?? 0} messages of the source are new to the target.`,
      brief ?? '',
      ...(open.length > 0 ? ['Conflicts (source | target):', ...open] : []),
    ].join('\n')
  },
})

export const writingTools = [checkpoint, fork, sendMessage, merge]
