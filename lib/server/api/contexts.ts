import 'server-only'
import { z } from 'zod'
import { ContextMovedError } from '@/lib/context'
import * as useCases from '@/lib/conversations'
import { type ChatContext, chatContext, contextChange, contextInUse } from '@/lib/protocol/context'
import { named } from '@/lib/protocol/fields'
import { RequestRefusedError, sentences } from '../http/problem'
import { defineOperation } from './operation'

const ofBranch = {
  params: z.object({ id: z.string().meta({ description: 'The chat' }) }),
  query: z.object({
    branch: z.string().min(1).optional().meta({ description: 'Name or id; the active branch unless given' }),
  }),
}

const example: ChatContext = {
  context_id: '9f3c…',
  model: 'openai:gpt-6-luna',
  renderer: 'xml',
  settings: { temperature: 0.4 },
  fragments: [
    { id: 'f1', name: 'role', data: 'You are a travel agent.', enabled: true },
    {
      id: 'f2',
      name: 'term',
      data: { name: 'IC', definition: 'a fast train' },
      enabled: true,
      group: 'Trains',
    },
  ],
  memories: [{ key: 'diet', text: 'One of us is vegetarian.', message_id: null }],
  tools: { current_time: 'always' },
  left_out: [],
}

export const readContext = defineOperation({
  id: 'readContext',
  method: 'get',
  path: '/api/chats/{id}/context',
  tag: 'Chats',
  names: 'Chat',
  summary: 'Read context',
  description:
    'What the next reply of a branch is asked with, besides the messages: model, fragments of the system prompt, memories, tools and settings.',
  input: ofBranch,
  output: { description: 'The context.', schema: chatContext, example },
  use: ({ ports, ownerId, params, query }) =>
    useCases.inCalledChat(ports, { ownerId, chatId: params.id }, (chat) =>
      useCases.readContext(ports, { ...chat, ...query }),
    ),
})

export const listContexts = defineOperation({
  id: 'listContexts',
  method: 'get',
  path: '/api/chats/{id}/contexts',
  tag: 'Chats',
  names: 'Chat',
  summary: 'List contexts',
  description:
    'The contexts in force on the branches of a chat that are not archived, those of the newest branches first, at most 100. Those that differ in their model alone are one. A fan-out takes them as `contexts`.',
  input: { params: ofBranch.params },
  output: {
    description: 'The contexts.',
    schema: named('ContextList', z.object({ contexts: z.array(contextInUse) })),
    example: {
      contexts: [
        {
          context_id: '9f3c…',
          branch_ids: ['019d3c25-3e6f-7d20-a6b4-2b1c8f5e9d44'],
          fragments: 2,
          memories: 1,
          tokens: 64,
          opening: 'You are a travel agent.',
        },
      ],
    },
  },
  use: async ({ ports, ownerId, params }) => ({
    contexts: await useCases.inCalledChat(ports, { ownerId, chatId: params.id }, (chat) =>
      useCases.listContexts(ports, chat),
    ),
  }),
})

export const changeContext = defineOperation({
  id: 'changeContext',
  method: 'put',
  path: '/api/chats/{id}/context',
  tag: 'Chats',
  names: 'Chat',
  summary: 'Change context',
  description:
    'Puts another context in force on a branch, from its next turn on. Earlier messages keep theirs, and a rewind brings theirs back.',
  input: { ...ofBranch, body: contextChange },
  // hundreds of fragments have thousands of values
  limits: { values: 20_000 },
  example: { expected_context_id: '9f3c…', fragments: [{ name: 'role', data: 'You are a travel agent.' }] },
  output: { description: 'The context from now on.', schema: chatContext, example },
  refusals: { context_moved: `${sentences.context_moved} \`current\` is the one in force.` },
  async use({ ports, ownerId, params, query, body: change }) {
    const called = { ownerId, chatId: params.id }
    try {
      return await useCases.inCalledChat(ports, called, (chat) =>
        useCases.changeContext(ports, { ...chat, ...query, change }),
      )
    } catch (error) {
      if (!(error instanceof ContextMovedError)) throw error
      const current = await useCases.inCalledChat(ports, called, (chat) =>
        useCases.readContext(ports, { ...chat, ...query }),
      )
      throw new RequestRefusedError(409, 'context_moved', sentences.context_moved, { current })
    }
  },
})
