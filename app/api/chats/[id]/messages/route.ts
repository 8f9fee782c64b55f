import { z } from 'zod'
import { defineRoute } from '@/lib/server'
import { readWindow } from '@/lib/server/use-cases'

const query = z.object({
  branch: z.string().min(1).optional(),
  before: z.coerce
    .number()
    .int()
    .nonnegative()
    .max(2 ** 31 - 1)
    .optional(),
  limit: z.coerce.number().int().min(1).max(200).optional(),
})

/** `GET /api/chats/{id}/messages?branch=&before=&limit=`: a window of a branch's chain. */
export const GET = defineRoute<{ id: string }>(async ({ request, params, viewer, services }) => {
  const { branch, before, limit } = query.parse(Object.fromEntries(new URL(request.url).searchParams))
  const window = await readWindow(services.ports, {
    ownerId: viewer.id,
    chatId: params.id,
    ...(branch ? { branch } : {}),
    ...(before === undefined ? {} : { before }),
    ...(limit === undefined ? {} : { limit }),
  })
  return Response.json(window, { headers: { 'cache-control': 'no-store' } })
})
