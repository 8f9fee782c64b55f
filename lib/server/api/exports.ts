import 'server-only'
import { z } from 'zod'
import * as useCases from '@/lib/conversations'
import { type ExportPart, exportFormats, exportParts } from '@/lib/protocol/chat-file'
import { chatFilter } from '@/lib/protocol/chat-list'
import { isStorable } from '@/lib/protocol/fields'
import { savedAs, textBody, zipBody } from '../http/download'
import { heavily, workLines } from '../http/heavy-work'
import { RequestRefusedError } from '../http/problem'
import { branchName, chatId } from './chat-fields'
import { defineOperation } from './operation'

const partNames: ReadonlySet<string> = new Set(exportParts)

const without = z
  .string()
  .transform((text) => text.split(',').filter(Boolean))
  .refine((names): names is ExportPart[] => names.every((name) => partNames.has(name)), {
    message: `must be names of ${exportParts.join(', ')}, with commas between them`,
  })
  .optional()
  .meta({
    description:
      'Parts to leave out, with commas between them: `thoughts`, `tools`, `context` (instructions, and the tools that were given); not for `json`',
    examples: ['thoughts,tools'],
  })

export const exportChat = defineOperation({
  id: 'exportChat',
  method: 'get',
  path: '/api/chats/{id}/export',
  tag: 'Export',
  names: 'Chat',
  summary: 'Export chat',
  description:
    'A chat, or one of its branches, as a file. `json` is the format of Ramify (below): it holds the whole chat and can be restored. `markdown`, `docx` and `html` are for reading; the page has the graph in it, and needs nothing else. `markdown-zip` has the pictures and other files beside the text. `jsonl` is for fine-tuning, in OpenAI’s chat format: a line for each branch, with its `tools`. `preferences` has a line for each message that was answered more than once: `prompt`, the `chosen` reply on the kept path, and a `rejected` one.',
  input: {
    params: z.object({ id: chatId.meta({ description: 'The chat' }) }),
    query: z.object({
      format: z.enum(exportFormats).default('json'),
      branch: branchName
        .optional()
        .meta({ description: 'Name or id of the one branch to export; not for `json`' }),
      without,
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
      const { name, mediaType, content } = await heavily({ ports, ownerId, signal }, params.id, begin)
      const isWanted = request.method !== 'HEAD'
      if (!isWanted) leave()
      return new Response(isWanted ? textBody(ownerId, content, leave) : null, {
        headers: savedAs(name, mediaType),
      })
    } catch (error) {
      leave()
      throw error
    }
  },
})

/** As many ids as the address of a request holds. */
const MOST_IDS = 200

const idList = z
  .string()
  .transform((text) => text.split(',').filter(Boolean))
  .refine((ids) => ids.length > 0 && ids.length <= MOST_IDS && ids.every(isStorable), {
    message: `must be 1 to ${MOST_IDS} ids, with commas between them`,
  })
  .optional()

const flag = z
  .enum(['true', 'false'])
  .transform((value) => value === 'true')
  .optional()

const { archived, tag, q, agents } = chatFilter.shape

/** Persons whose archive this process is writing. */
const writing = new Set<string>()

const running = 'Your export is being written already. Wait for it to end, or stop it.'

export const exportAll = defineOperation({
  id: 'exportAll',
  method: 'get',
  path: '/api/export',
  tag: 'Export',
  summary: 'Export many chats',
  description:
    'All of your chats as a zip, or those that `ids` or a filter of the list picks. As `json`, each is in `chats/`, the files of their messages once each in `files/`, and `manifest.json` lists them; in another format `chats/` holds a file for each, with `markdown-zip` a folder. The zip is written while it is downloaded; one at a time.',
  input: {
    query: z.object({
      format: z.enum(exportFormats).default('json'),
      without,
      ids: idList.meta({
        description: 'The chats, with commas between them; others than your own are passed over',
      }),
      filter: z
        .literal('true')
        .optional()
        .meta({ description: 'All chats that a list with the following shows, but for `except`' }),
      archived: flag.meta(archived.meta() ?? {}),
      tag: tag.meta(tag.meta() ?? {}),
      agents: flag.meta(agents.meta() ?? {}),
      q: q.meta(q.meta() ?? {}),
      except: idList.meta({ description: 'Chats that the filter finds and that are left out' }),
    }),
  },
  output: { description: 'The zip.', type: 'application/octet-stream' },
  refusals: { export_running: running },
  async use({ request, ports, ownerId, query }) {
    const { format, without, ids, filter, except, ...shown } = query
    const picked = ids ? { ids } : filter ? { filter: shown, except } : undefined
    if (writing.has(ownerId)) throw new RequestRefusedError(409, 'export_running', running)
    const day = new Date(ports.clock()).toISOString().slice(0, 10)
    const headers = savedAs(`ramify-${day}.zip`, 'application/zip')
    if (request.method === 'HEAD') return new Response(null, { headers })
    writing.add(ownerId)
    const entries = useCases.exportAll(ports, { ownerId, picked, format, without })
    return new Response(
      zipBody(ownerId, entries, () => writing.delete(ownerId)),
      { headers },
    )
  },
})
