import 'server-only'
import { z } from 'zod'
import * as useCases from '@/lib/conversations'
import { mergeModes } from '@/lib/events'
import { named } from '@/lib/protocol/fields'
import { type Proposal, proposalList, proposalTitle, proposalWords } from '@/lib/protocol/remotes/proposals'
import type { Services } from '@/lib/runtime'
import { heavily } from '../../http/heavy-work'
import { sentences } from '../../http/problem'
import { chatId } from '../chat-fields'
import { example as thread, threadId } from '../commands'
import { defineOperation } from '../operation'
import { sharingPorts } from '../shares'
import { givenMessage, mergeReview, reviewedMerge } from '../verbs/merges'
import { nameOf } from './members'

const { proposalRefusals: refusals } = useCases
const { proposal_over, proposal_moved, too_many_comments } = refusals

const exampleId = '019d3c25-3e6f-7d20-a6b4-2b1c8f5e9d56'
const atProposal = z.object({ id: z.string().max(128).meta({ description: 'The proposal' }) })

const example: Proposal = {
  id: exampleId,
  number: 1,
  role: 'owner',
  author: 'Ben',
  title: 'By train to Porto',
  words: 'I have looked up the trains.',
  state: 'open',
  taken_as: null,
  answer: null,
  message_count: 2,
  thread_id: thread.fork,
  head_message_id: thread.reply,
  base_message_id: thread.question,
  created_at: '2026-03-14T09:26:53.589Z',
  updated_at: '2026-03-14T09:26:53.589Z',
  comments: [],
}

/** The ports of proposals, of one process. */
export const proposingPorts = (services: Services, ports: useCases.Ports): useCases.ProposingPorts => ({
  ...sharingPorts(services, ports),
  ...ports,
  proposals: services.proposals,
  members: services.members,
})

const openRequest = named(
  'OpenProposalRequest',
  z.strictObject({
    share_token: z
      .string()
      .max(200)
      .optional()
      .meta({ description: 'The secret part of a link to the original' }),
    chat_id: chatId.optional().meta({
      description:
        'The original: a chat of yours, one that you are a member of, or one that this chat is a clone of. Without it and without a link, the original is the chat that this one was copied from',
    }),
    source_thread_id: threadId,
    title: proposalTitle,
    words: proposalWords.default(''),
  }),
)

export const openProposal = defineOperation({
  id: 'openProposal',
  method: 'post',
  path: '/api/proposals',
  tag: 'Proposals',
  names: 'Thread',
  summary: 'Propose branch',
  description:
    'Proposes a branch of a copy to the owner of the original, pinned at its head. What the original lacks is brought there as readers of a link would see it: without instructions, memories, and what the model thought. At most 500 messages; a person has 20 open proposals to one chat and 100 to all.',
  input: { body: openRequest },
  example: { source_thread_id: thread.fork, title: example.title, words: example.words },
  output: {
    status: 201,
    description: 'The owner of the original sees the proposal.',
    schema: named('OpenedProposal', z.object({ id: z.string(), number: z.int() })),
    example: { id: exampleId, number: 1 },
  },
  refusals: {
    branch_archived: refusals.branch_archived,
    nothing_to_propose: refusals.nothing_to_propose,
    nothing_in_common: refusals.nothing_in_common,
    link_over: refusals.link_over,
    only_reads: refusals.only_reads,
    too_many_proposals: refusals.too_many_proposals,
    too_many_proposals_there: refusals.too_many_proposals_there,
    original_is_full: refusals.original_is_full,
  },
  use: ({ request, viewer, ownerId, services, ports, body }) =>
    heavily({ ports, ownerId, signal: request.signal }, body.source_thread_id, () =>
      useCases.openProposal(proposingPorts(services, ports), {
        author: { id: ownerId, name: nameOf(viewer) },
        shareToken: body.share_token,
        chatId: body.chat_id,
        sourceBranchId: body.source_thread_id,
        title: body.title,
        words: body.words,
      }),
    ),
})

export const listProposals = defineOperation({
  id: 'listProposals',
  method: 'get',
  path: '/api/chats/{id}/proposals',
  tag: 'Proposals',
  names: 'Chat',
  summary: 'List proposals',
  description: 'The proposals to a chat of yours, and those that you have made from it, with their comments.',
  input: { params: z.object({ id: chatId.meta({ description: 'The chat' }) }) },
  output: {
    description: 'The latest 200, newest first.',
    schema: proposalList,
    example: { is_copy: false, proposals: [example] },
  },
  async use({ ownerId, services, ports, params }) {
    const { isCopy, seen } = await useCases.listProposals(proposingPorts(services, ports), {
      ownerId,
      chatId: params.id,
    })
    return { is_copy: isCopy, proposals: seen.map(toProposal) }
  },
})

function toProposal({ proposal, role, comments }: useCases.SeenProposal): Proposal {
  const isOwner = role === 'owner'
  return {
    id: proposal.id,
    number: proposal.number,
    role,
    author: proposal.authorName,
    title: proposal.title,
    words: proposal.words,
    state: proposal.state,
    taken_as: proposal.state === 'taken' ? proposal.takenAs : null,
    answer: proposal.answer,
    message_count: proposal.messages,
    // the other side's chat stays unnamed
    thread_id: isOwner ? proposal.branchId : proposal.sourceBranchId,
    head_message_id: isOwner ? proposal.headMessageId : proposal.sourceHeadId,
    base_message_id: isOwner ? proposal.baseMessageId : null,
    created_at: new Date(proposal.createdAt).toISOString(),
    updated_at: new Date(proposal.updatedAt).toISOString(),
    comments: comments.map((comment) => ({
      id: comment.id,
      by: comment.saidBy,
      message_id: isOwner ? comment.messageId : comment.sourceMessageId,
      words: comment.words,
      created_at: new Date(comment.createdAt).toISOString(),
    })),
  }
}

export const updateProposal = defineOperation({
  id: 'updateProposal',
  method: 'post',
  path: '/api/proposals/{id}/update',
  tag: 'Proposals',
  names: 'Proposal',
  summary: 'Update proposal',
  description:
    'Pins an open proposal of yours at the head of its branch as that is now. The same again changes nothing.',
  input: { params: atProposal },
  output: {
    description: 'The proposal has what the branch has.',
    schema: named('UpdatedProposal', z.object({ id: z.string(), message_count: z.int() })),
    example: { id: exampleId, message_count: 4 },
  },
  refusals: {
    proposal_over,
    branch_left: refusals.branch_left,
    branch_archived: refusals.branch_archived,
    original_is_full: refusals.original_is_full,
  },
  async use({ ownerId, services, ports, params }) {
    const { id, messages } = await useCases.updateProposal(proposingPorts(services, ports), {
      authorId: ownerId,
      id: params.id,
    })
    return { id, message_count: messages }
  },
})

export const commentOnProposal = defineOperation({
  id: 'commentOnProposal',
  method: 'post',
  path: '/api/proposals/{id}/comments',
  tag: 'Proposals',
  names: 'Proposal',
  summary: 'Comment on proposal',
  description: 'Says something about an open proposal, or about one of its messages, to the other side.',
  input: {
    params: atProposal,
    body: named(
      'ProposalCommentRequest',
      z.strictObject({
        words: proposalWords,
        message_id: givenMessage.optional().meta({ description: 'As in the chat where you read it' }),
      }),
    ),
  },
  example: { words: 'Are there trains on Sunday?' },
  output: {
    status: 201,
    description: 'Both sides see the comment.',
    schema: named('AddedComment', z.object({ id: z.string() })),
    example: { id: '019d3c25-3e6f-7d20-a6b4-2b1c8f5e9d57' },
  },
  refusals: { proposal_over, too_many_comments },
  use: ({ ownerId, services, ports, params, body }) =>
    useCases.commentOnProposal(proposingPorts(services, ports), {
      personId: ownerId,
      id: params.id,
      words: body.words,
      messageId: body.message_id,
    }),
})

const takeRequest = named(
  'TakeProposalRequest',
  z.strictObject({
    target_thread_id: threadId,
    mode: z.enum([...mergeModes, 'messages']).meta({
      description: 'As “Merge threads” has it, or `messages`: copies of those in `message_ids`',
    }),
    ...mergeReview,
    message_ids: z.array(givenMessage).max(500).optional().meta({ description: 'Of the proposal' }),
    head_message_id: givenMessage.optional().meta({
      description: 'Where it was pinned when it was reviewed: refused if it was updated since',
    }),
  }),
)

export const takeProposal = defineOperation({
  id: 'takeProposal',
  method: 'post',
  path: '/api/proposals/{id}/take',
  tag: 'Proposals',
  names: 'Proposal',
  summary: 'Take proposal',
  description:
    'Brings all or some of a proposal to a branch of yours, once. “Preview merge” with the proposal’s thread says what a merge would bring. Undo takes it back, and the proposal is open again.',
  input: { params: atProposal, body: takeRequest },
  example: { target_thread_id: thread.thread, mode: 'turns' },
  output: {
    status: 201,
    description: 'The branch has it.',
    schema: named('TakenProposal', z.object({ thread_id: z.string() })),
    example: { thread_id: thread.thread },
  },
  refusals: {
    proposal_over,
    proposal_moved,
    nothing_to_merge: sentences.nothing_to_merge,
    already_there: sentences.already_there,
    reply_in_progress: sentences.reply_on('main'),
  },
  async use({ ownerId, services, ports, params, body }) {
    const { target_thread_id: targetId, mode, message_ids: messageIds = [], head_message_id: headId } = body
    const taken =
      mode === 'messages' ? { mode, targetId, messageIds } : { ...reviewedMerge(body), mode, targetId }
    const { branchId } = await useCases.takeProposal(proposingPorts(services, ports), {
      ownerId,
      id: params.id,
      headId,
      ...taken,
    })
    return { thread_id: branchId }
  },
})

export const declineProposal = defineOperation({
  id: 'declineProposal',
  method: 'post',
  path: '/api/proposals/{id}/decline',
  tag: 'Proposals',
  names: 'Proposal',
  summary: 'Decline proposal',
  description: 'Ends a proposal to a chat of yours. Its author reads the words.',
  input: {
    params: atProposal,
    body: named('DeclineProposalRequest', z.strictObject({ words: proposalWords.default('') })),
  },
  example: { words: 'Thank you. We go by car.' },
  output: { status: 204, description: 'The proposal is declined.' },
  refusals: { proposal_over },
  async use({ ownerId, services, ports, params, body }) {
    await useCases.declineProposal(proposingPorts(services, ports), {
      ownerId,
      id: params.id,
      words: body.words,
    })
    return undefined
  },
})
