import 'server-only'
import { z } from 'zod'
import * as useCases from '@/lib/conversations'
import { linesOf, packStart } from '@/lib/conversations/exchange/pack-lines'
import { chatRefs, pushResult, toChatRefs } from '@/lib/protocol/remotes/exchange'
import { textBody } from '../../http/download'
import { heavily, workLines } from '../../http/heavy-work'
import { RequestRefusedError } from '../../http/problem'
import { plainParts } from '../../http/read-body'
import { chatId } from '../chat-fields'
import { defineOperation } from '../operation'

const inChat = z.object({ id: chatId.meta({ description: 'The chat' }) })

const messageIds = z.array(z.string().min(1).max(128)).max(2000)

const exampleHead = '019d3c1e-9d07-7a44-b1a7-5a2f0c9f5e61'

export const readRefs = defineOperation({
  id: 'readRefs',
  method: 'get',
  path: '/api/chats/{id}/refs',
  tag: 'Remotes',
  names: 'Chat',
  summary: 'Read refs',
  description:
    'Where the branches and checkpoints of a chat stand, and its `origin`: made with the chat and kept by its clones on other servers. Archived branches are left out.',
  input: { params: inChat },
  output: {
    description: 'The refs, by name.',
    schema: chatRefs,
    example: {
      chat_id: '0f3b7c1e-5d6a-8b42-a901-7c5e3d1f2b48',
      origin: '7b1f2f1c-2a53-4a58-9d0e-0f6a4f3f9a11',
      title: 'A week in Lisbon',
      branches: [{ name: 'main', head_message_id: exampleHead }],
      checkpoints: [],
      seq: 42,
    },
  },
  async use({ ports, ownerId, params }) {
    return toChatRefs(await useCases.readChatRefs(ports, { ownerId, chatId: params.id }))
  },
})

export const fetchPack = defineOperation({
  id: 'fetchPack',
  method: 'post',
  path: '/api/chats/{id}/fetch',
  tag: 'Remotes',
  names: 'Chat',
  summary: 'Fetch pack',
  description:
    'What can be reached from the messages `want` and not from those in `have`, as lines of JSON: `pack`, then each `message` after its parents, with the `context`, `file` (its `bytes` follow) and `summary` that it needs, and `end` with the number of lines and the SHA-256 of all before it, each with its line end. The same question has the same lines: a pack that was cut off goes on behind its first `after` lines.',
  input: {
    params: inChat,
    body: z.object({
      want: messageIds.min(1).meta({ description: 'Ids of messages' }),
      have: messageIds.default([]).meta({ description: 'Ids of messages; unknown ones are passed over' }),
      after: z.int().min(0).default(0).meta({ description: 'Lines that are left out at the beginning' }),
    }),
  },
  limits: { bytes: 1_000_000, values: 5000 },
  example: { want: [exampleHead], have: [] },
  output: { description: 'The pack.', type: 'application/x-ndjson' },
  async use({ request, ports, ownerId, params, body }) {
    const { signal } = request
    const leave = await workLines().exports.enter(ownerId, signal)
    signal.addEventListener('abort', leave, { once: true })
    try {
      const asked = { ownerId, chatId: params.id, ...body }
      const lines = await heavily({ ports, ownerId, signal }, params.id, () =>
        useCases.packChat(ports, asked),
      )
      return new Response(textBody(ownerId, withEnds(lines), leave), {
        headers: { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' },
      })
    } catch (error) {
      leave()
      throw error
    }
  },
})

async function* withEnds(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`
}

const refused = {
  not_fast_forward:
    'The branch "main" has messages there that you do not have here. Pull them first, then push again. Nothing was pushed.',
  diverged_objects: 'A message of this id has another content here. Nothing was received.',
  other_origin: 'The chat of this id is another one: neither is a clone of the other.',
}

export const pushPack = defineOperation({
  id: 'pushPack',
  method: 'post',
  path: '/api/chats/{id}/push',
  tag: 'Remotes',
  names: 'Chat',
  summary: 'Push pack',
  description:
    'Takes a pack as “Fetch pack” makes it, and moves branches on. A first line `{"t":"updates","updates":[{"branch","old","new"}]}` says which, or the header `x-ramify-updates` with the list. All of it is written in one commit, or nothing. The same push again is answered the same. Tools of contexts that arrive ask first, whatever they did before. A chat that is not here is made.',
  takes: 'pack',
  input: { params: inChat, headers: z.object({ 'x-ramify-updates': z.string().max(16_000).optional() }) },
  output: {
    description: 'Where the branches stand.',
    schema: pushResult,
    example: { updated: [{ branch: 'main', head_message_id: exampleHead }] },
  },
  refusals: refused,
  async use({ request, ports, ownerId, params, headers }) {
    const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
    if (type !== 'application/x-ndjson')
      throw new RequestRefusedError(
        415,
        'unsupported_content_type',
        'Send a pack: Content-Type: application/x-ndjson.',
      )
    const said = headers['x-ramify-updates']
    const { lines, updates } = await packStart(linesOf(plainParts(request)), said)
    const pushed = { ownerId, chatId: params.id, lines, updates }
    const { updated } = await useCases.receivePush(ports, pushed)
    return {
      updated: updated.map(({ branch, headMessageId }) => ({ branch, head_message_id: headMessageId })),
    }
  },
})
