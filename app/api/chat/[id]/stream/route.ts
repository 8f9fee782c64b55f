import { createUIMessageStreamResponse } from 'ai'
import { defineRoute } from '@/lib/server'
import { followReply } from '@/lib/server/use-cases'

/** `GET /api/chat/{id}/stream?branch=`: the live reply from its first part on; 204 when nothing runs. */
export const GET = defineRoute<{ id: string }>(async ({ request, params, viewer, services }) => {
  const branch = new URL(request.url).searchParams.get('branch')
  const stream = await followReply(services.ports, {
    ownerId: viewer.id,
    chatId: params.id,
    ...(branch ? { branch } : {}),
  })
  return stream ? createUIMessageStreamResponse({ stream }) : new Response(null, { status: 204 })
})
