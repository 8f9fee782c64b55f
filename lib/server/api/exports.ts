import 'server-only'
import { z } from 'zod'
import * as useCases from '@/lib/conversations'
import { exportFormats } from '@/lib/protocol/chat-file'
import { savedAs, textBody, zipBody } from '../http/download'
import { heavily, workLines } from '../http/heavy-work'
import { RequestRefusedError } from '../http/problem'
import { branchName, chatId } from './chat-fields'
import { defineOperation } from './operation'

export const exportChat = defineOperation({
  ...{ id: 'exportChat', method: 'get', path: '/api/chats/{id}/export', tag: 'Export', names: 'Chat' },
  summary: 'Export chat',
  description:
    'A chat, or one of its branches, as a file. `json` is the format of Ramify (below): it holds the whole chat and can be restored. `markdown` and `html` are for reading; the page has the graph in it, and needs nothing else. `jsonl` is for fine-tuning, in OpenAI’s chat format: a line for each branch.',
  input: {
    params: z.object({ id: chatId.meta({ description: 'The chat' }) }),
    query: z.object({
      format: z.enum(exportFormats).default('json'),
      branch: branchName
        .optional()
        .meta({ description: 'Name or id of the one branch to export; not for `json`' }),
    }),
  },
  output: { description: 'The file, with its name.', type: 'application/octet-stream' },
  async use({ request, ports, ownerId, params, query }) {
    const { signal } = request
    const called = { ownerId, chatId: params.id }
    const leave = await workLines().exports.enter(ownerId, signal)
    signal.addEventListener('abort', leave, { once: true })
    try {
      const begin = () =>
        useCases.inCalledChat(ports, called, (chat) => useCases.exportChat(ports, { ...chat, ...query }))
      const { name, mediaType, text } = await heavily({ ports, ownerId, signal }, params.id, begin)
      const isWanted = request.method !== 'HEAD'
      if (!isWanted) leave()
      return new Response(isWanted ? textBody(ownerId, text, leave) : null, {
        headers: savedAs(name, mediaType),
      })
    } catch (error) {
      leave()
      throw error
    }
  },
})

/** Persons whose archive this process is writing. */
const writing = new Set<string>()

const running = 'Your export is being written already. Wait for it to end, or stop it.'

export const exportAll = defineOperation({
  ...{ id: 'exportAll', method: 'get', path: '/api/export', tag: 'Export' },
  summary: 'Export everything',
  description:
    'All of your chats as a zip: each as `json` in `chats/`, the files of their messages once each in `files/`, and `manifest.json`, which lists them. It is written while it is downloaded; one at a time.',
  output: { description: 'The zip.', type: 'application/octet-stream' },
  refusals: { export_running: running },
  async use({ request, ports, ownerId }) {
    if (writing.has(ownerId)) throw new RequestRefusedError(409, 'export_running', running)
    const day = new Date(ports.clock()).toISOString().slice(0, 10)
    const headers = savedAs(`ramify-${day}.zip`, 'application/zip')
    if (request.method === 'HEAD') return new Response(null, { headers })
    writing.add(ownerId)
    const entries = useCases.exportAll(ports, ownerId)
    return new Response(
      zipBody(ownerId, entries, () => writing.delete(ownerId)),
      { headers },
    )
  },
})
