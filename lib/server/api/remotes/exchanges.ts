import 'server-only'
import { z } from 'zod'
import { named } from '@/lib/protocol/fields'
import { type Exchanged, type ExchangeVerb, exchanged, remoteState } from '@/lib/protocol/remotes/remotes'
import { branchName, chatId } from '../chat-fields'
import { defineOperation, type Operation } from '../operation'
import { atRemote, remoteTroubles } from './remotes'

// This server talks to its remotes: a person's browser and command line send their requests here.

const ofChat = { chat_id: chatId.meta({ description: 'The same on both servers' }) }

const exchangeRequest = named(
  'ExchangeRequest',
  z.strictObject({
    ...ofChat,
    branch: branchName.optional().meta({ description: 'The name of one branch; all unless given' }),
  }),
)

const head = '019d3c1e-9d07-7a44-b1a7-5a2f0c9f5e61'
const chat = '0f3b7c1e-5d6a-8b42-a901-7c5e3d1f2b48'

const example: Exchanged = {
  chat_id: chat,
  remote: 'work',
  branches: [
    {
      name: 'main',
      state: 'equal',
      head_message_id: head,
      remote_head_message_id: head,
      ahead: 0,
      behind: 0,
    },
  ],
  received: 0,
  moved: ['main'],
  diverged: [],
  advice: null,
}

const refusals = {
  other_origin: 'The chat of this id on the other server is another one: neither is a clone of the other.',
  diverged_objects: 'The message has another content on the other server. Nothing was received.',
}

const exchanging = (
  verb: ExchangeVerb,
  record: { summary: string; description: string; done: string; refusals?: Record<string, string> },
): Operation =>
  defineOperation({
    id: `${verb}Remote`,
    method: 'post',
    path: `/api/remotes/{name}/${verb}`,
    tag: 'Remotes',
    names: 'Remote',
    summary: record.summary,
    description: record.description,
    input: { params: atRemote, body: exchangeRequest },
    example: { chat_id: chat },
    output: { description: record.done, schema: exchanged, example },
    refusals: { ...refusals, ...record.refusals },
    unfit: remoteTroubles,
    use: ({ request, ports, ownerId, params, body, services }) =>
      services.remotes.exchange(ports, verb, {
        ownerId,
        name: params.name,
        chatId: body.chat_id,
        branch: body.branch,
        signal: request.signal,
      }),
  })

export const fetchRemote = exchanging('fetch', {
  summary: 'Fetch from remote',
  description:
    'Brings what the remote has of a chat. No branch of yours moves: what is new is kept on archived branches called `remote/branch`.',
  done: 'What was received, and how the branches stand.',
})

export const pullRemote = exchanging('pull', {
  summary: 'Pull from remote',
  description:
    'Fetches, and moves your branches on to where they stand on the remote; Undo takes it back. A branch that both sides have gone on with stays, and is named in `diverged`: preview its merge, and merge it.',
  done: 'What was received and moved, and what is left to a merge.',
})

export const pushRemote = exchanging('push', {
  summary: 'Push to remote',
  description:
    'Sends what the remote lacks, and moves its branches on: all of it, or nothing. A chat that it does not have is made there. Archived branches stay here.',
  done: 'Which branches were moved there.',
  refusals: {
    not_fast_forward:
      'The branch "main" has messages there that you do not have here. Pull them first, then push again. Nothing was pushed.',
  },
})

export const cloneRemote = exchanging('clone', {
  summary: 'Clone from remote',
  description: 'Makes a chat of one on the remote, with the same ids, branches and checkpoints.',
  done: 'The chat is here.',
  refusals: { cloned_already: 'You have this chat here already. Pull what is new in it instead.' },
})

export const readRemoteState = defineOperation({
  id: 'readRemoteState',
  method: 'get',
  path: '/api/remotes/{name}/state',
  tag: 'Remotes',
  names: 'Remote',
  summary: 'Read remote state',
  description:
    'How the branches of a chat stand to those of a remote, as of the last exchange: it is not asked.',
  input: { params: atRemote, query: z.object(ofChat) },
  output: {
    description: 'The branches of both sides, by name.',
    schema: remoteState,
    example: { chat_id: chat, remote: 'work', branches: example.branches },
  },
  use: ({ ports, ownerId, params, query, services }) =>
    services.remotes.state(ports, { ownerId, name: params.name, chatId: query.chat_id }),
})
