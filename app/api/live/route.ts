import { defineMethods, defineRoute } from '@/lib/server'
import { liveQuery } from '@/lib/server/api/schemas/chat-schemas'
import { eventStreamResponse } from '@/lib/server/http/event-stream'
import { inCalledChat, watchChat } from '@/lib/server/use-cases'

/** Watchers are sent to ask anew before hosts with a limit cut here. */
export const maxDuration = 300

/**
 * `GET /api/live?chat=&since=`: everything written to a chat after that event, as it happens: `delta` with a GraphDelta,
 * whose id is the log's position then (a `Last-Event-ID` goes before `since`), and at the end `gone` when the chat is
 * deleted.
 */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = defineMethods({
  GET: defineRoute(async ({ request, viewer, services }) => {
    const { chat, since } = liveQuery.parse(Object.fromEntries(new URL(request.url).searchParams))
    const resumed = request.headers.get('last-event-id')
    const from = resumed ? liveQuery.shape.since.parse(resumed) : since
    const called = { ownerId: viewer.id, chatId: chat }
    const news = await inCalledChat(services.ports, called, (own) =>
      watchChat(services.ports, { ...own, since: from }),
    )
    return eventStreamResponse({ request, viewer, services }, news, (told) => {
      if (told.kind === 'delta') return { event: 'delta', id: told.delta.seq, data: told.delta }
      return told.kind === 'gone' ? { event: 'gone' } : {}
    })
  }),
})
