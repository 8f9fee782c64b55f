import 'server-only'
import type { Operation } from '../operation'
import { searchPage, searchQuery } from '../schemas/search-schemas'

export const searchOperations: Operation[] = [
  {
    id: 'search',
    method: 'get',
    path: '/api/search',
    tag: 'Chat',
    summary: 'Search what was said',
    description: 'In all your chats, on every branch, best first. What was said a moment ago is found.',
    query: searchQuery,
    answers: [
      {
        status: 200,
        description: 'The messages found. Without a word in `q`, none.',
        schema: searchPage,
        example: {
          hits: [
            {
              chatId: 'trip',
              chatTitle: 'Three days in Lisbon',
              messageId: '019d3c1e-9d07-7a44-b1a7-5a2f0c9f5e61',
              role: 'assistant',
              createdAt: 1773480421204,
              branch: { id: 'b1', name: 'main' },
              rank: 0.0607927106320858,
              snippet: 'one is a *tasca* with grilled <mark>sardines</mark>, loud and good',
            },
          ],
          more: false,
          partial: false,
        },
      },
    ],
  },
]
