import 'server-only'
import { z } from 'zod'
import * as useCases from '@/lib/conversations'
import { sentPrompt } from '@/lib/protocol/prompt'
import { compressedJson } from '../http/compressed-json'
import { heavily } from '../http/heavy-work'
import { exampleMessage } from './chat-fields'
import { defineOperation } from './operation'

export const readPrompt = defineOperation({
  id: 'readPrompt',
  method: 'get',
  path: '/api/chats/{id}/prompt',
  tag: 'Chats',
  names: 'Chat',
  summary: 'Read prompt',
  description:
    'Exactly what a reply was asked with, or will be: system prompt and messages as the provider receives them, with estimated tokens and cost.',
  input: {
    params: z.object({ id: z.string().meta({ description: 'The chat' }) }),
    query: z.object({
      branch: z.string().min(1).optional().meta({
        description: 'Name or id: what its next reply is asked with; the active branch unless given',
      }),
      message: z.string().min(1).optional().meta({
        description:
          'A reply: what it was asked with. A question: what a reply to it is asked with. Takes precedence over `branch`',
      }),
      model: z
        .string()
        .min(1)
        .optional()
        .meta({ description: 'The model of the next reply; the one of the branch unless given' }),
    }),
  },
  output: {
    description: 'The prompt.',
    schema: sentPrompt,
    example: {
      model: 'openai:gpt-6-luna',
      context_id: null,
      system: 'You are a helpful assistant.',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'What should we not miss?' }] }],
      tools: [],
      settings: { temperature: 0.4 },
      tokens: {
        system: 7,
        messages: [{ message_id: exampleMessage.id, tokens: 6, sent: 1 }],
        total: 13,
        window: 1_050_000,
      },
      cost: { estimate_usd: 0.0000013, actual_usd: null },
      cache: null,
      compacted: null,
    },
  },
  async use({ request, ports, ownerId, params, query }) {
    const { signal } = request
    return heavily({ ports, ownerId, signal }, params.id, async () => {
      const prompt = await useCases.inCalledChat(ports, { ownerId, chatId: params.id }, (chat) =>
        useCases.readPrompt(ports, { ...chat, ...query }),
      )
      return compressedJson(request, prompt)
    })
  },
})
