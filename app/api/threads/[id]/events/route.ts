import { historyQuery, lastEventId } from '@/lib/server/api/schemas/thread-schemas'
import { eventJson } from '@/lib/server/api/thread-json'
import { defineRead } from '@/lib/server/http/define-read'
import { eventStreamResponse } from '@/lib/server/http/event-stream'
import { readThreadEvents, watchThread } from '@/lib/server/use-cases'

/** Watchers are sent to ask anew before hosts with a limit cut here. */
export const maxDuration = 300

/**
 * `GET /api/threads/{id}/events?after=&limit=`: what happened in a thread, inherited and own, in order. Asked for as
 * `text/event-stream` it goes on as it happens; a `Last-Event-ID` goes before `after`.
 */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = defineRead<
  typeof historyQuery,
  { id: string }
>(historyQuery, async ({ ports, ownerId, params, query, request, viewer, services }) => {
  const thread = { ownerId, threadId: params.id }
  if (!request.headers.get('accept')?.includes('text/event-stream')) {
    const { events, next } = await readThreadEvents(ports, { ...thread, ...query })
    return { events: events.map(eventJson), next }
  }
  const resumed = lastEventId.parse(request.headers.get('last-event-id') || undefined)
  const news = await watchThread(ports, { ...thread, after: resumed ?? query.after })
  return eventStreamResponse({ request, viewer, services }, news, (told) =>
    told.kind === 'event'
      ? { event: told.event.type, id: told.event.eventNumber, data: eventJson(told.event) }
      : {},
  )
})
