import 'server-only'
import { z } from 'zod'
import { UnauthenticatedError } from '@/lib/auth'
import * as useCases from '@/lib/conversations'
import { findAgentSessions } from '@/lib/conversations/imports/agents/find-sessions'
import { packSessions } from '@/lib/conversations/imports/agents/pack-sessions'
import {
  type AgentSessions,
  agentSessions,
  choiceFields,
  type ImportPreview,
  type ImportReport,
  importList,
  importPreview,
  importReport,
  partFields,
  startedImport,
} from '@/lib/protocol/imports'
import { Turnstile } from '../http/pace'
import { RequestRefusedError } from '../http/problem'
import { receiveFile } from '../http/receive-file'
import { defineOperation } from './operation'

/** Uploads of one person at the same time: each is a file on the server's disk for a moment. */
const uploads = new Turnstile(1)

const ofImport = z.object({ id: z.string().min(1).max(128).meta({ description: 'The import' }) })

const example: ImportReport = {
  id: '019d3c2a-71b4-7e0f-8c65-3d2e1f0a9b87',
  file: 'chatgpt-export.zip',
  size: 48_213_077,
  source: 'chatgpt',
  status: 'running',
  reason: null,
  chats: { found: 1240, imported: 1180, unchanged: 58, left: 2 },
  messages: { found: 24_310, imported: 23_902, skipped: 2 },
  problems: [{ chat: 'A week in Lisbon', reason: 'The file “map.png” is not in the export.' }],
  problem_count: 2,
  examples: [{ chat_id: '0f3b7c1e-5d6a-8b42-a901-7c5e3d1f2b48', title: 'A week in Lisbon' }],
  created_at: '2026-03-14T09:26:53.589Z',
  ended_at: null,
}

export const importFile = defineOperation({
  id: 'importFile',
  method: 'post',
  path: '/api/import',
  tag: 'Import',
  takes: 'file',
  beside: choiceFields,
  summary: 'Import chats',
  description:
    'Takes the export of another program, as it was downloaded: ChatGPT, Claude, Gemini, Grok, DeepSeek, Open WebUI, LibreChat, LM Studio, VS Code Copilot and many others, or a plain list of messages. Its content decides. Every branch becomes a branch, with the dates it had. The chats appear while the server works: ask for the import to see how far it has come. The same file again adds only what is new, and a message that was edited or has a picture more becomes a branch. What is not brought is told in `problems` with its reason: fields that are not known, files of a zip. `only` and `except` choose among its chats by their ids in a preview. One import of a person is worked on at a time.',
  output: {
    status: 202,
    description: 'The file is stored, and waits for its turn.',
    schema: startedImport,
    example: { import_id: example.id },
  },
  async use({ request, viewer, ownerId, ports, services }) {
    const most = services.importBytes
    const started = await uploads.pass(ownerId, () =>
      receiveFile(request, most, ({ fields, ...file }) => {
        const choice = choiceFields.parse(fields)
        const isChoice = choice.only !== undefined || choice.except !== undefined
        return useCases.startImport(ports, { ownerId, ...file, ...(isChoice && { choice }) })
      }),
    )
    // the account was deleted meanwhile
    if (!started) throw new UnauthenticatedError(viewer.credential.kind)
    return { import_id: started.importId }
  },
})

const previewed: ImportPreview = {
  file: 'chatgpt-export.zip',
  size: 48_213_077,
  source: 'chatgpt',
  chats: [
    {
      id: 'q3Zr0yXbT_4k',
      title: 'A week in Lisbon',
      source: 'chatgpt',
      messages: 62,
      branches: 8,
      size: 148_201,
      from: '2026-03-01T08:12:44.000Z',
      to: '2026-03-14T09:26:53.000Z',
      standing: 'new',
    },
  ],
  problems: [{ chat: 'A week in Lisbon', reason: '1 time is none that can be read. It is left out.' }],
  problem_count: 1,
  rest: true,
}

export const previewFile = defineOperation({
  id: 'previewImport',
  method: 'post',
  path: '/api/import/preview',
  tag: 'Import',
  takes: 'file',
  beside: partFields,
  summary: 'Preview import',
  description:
    'The chats of a file as an import would bring them: titles, dates, messages, branches, and what will not be as it was. Nothing is stored. At most 5,000 chats and 64 MB of their text are looked at; `rest` says that more follow. Of a large file a part is enough: send its first megabytes with `size` and `length`, of a zip its last ones behind them.',
  output: { description: 'What the file holds.', schema: importPreview, example: previewed },
  async use({ request, ownerId, ports, services }) {
    return uploads.pass(ownerId, () =>
      receiveFile(request, services.importBytes, ({ fields, ...file }) => {
        const { size, from, length } = partFields.parse(fields)
        const part = size !== undefined && length !== undefined ? { size, from, length } : undefined
        const { signal } = request
        return useCases.previewImport(ports, { ownerId, ...file, signal, ...(part && { part }) })
      }),
    )
  },
})

export const listFileImports = defineOperation({
  id: 'listImports',
  method: 'get',
  path: '/api/import',
  tag: 'Import',
  summary: 'List imports',
  output: {
    description: 'Your imports of the last 30 days, the latest first; 20 at most.',
    schema: importList,
    example: { imports: [example] },
  },
  use: async ({ ports, ownerId }) => ({ imports: await useCases.listImports(ports, { ownerId }) }),
})

export const readFileImport = defineOperation({
  id: 'readImport',
  method: 'get',
  path: '/api/import/{id}',
  tag: 'Import',
  names: 'Import',
  summary: 'Read import',
  input: { params: ofImport },
  output: {
    description: 'How far it has come, and what could not be kept.',
    schema: importReport,
    example,
  },
  use: ({ ports, ownerId, params }) => useCases.readImport(ports, { ownerId, importId: params.id }),
})

export const cancelFileImport = defineOperation({
  id: 'cancelImport',
  method: 'delete',
  path: '/api/import/{id}',
  tag: 'Import',
  names: 'Import',
  summary: 'Cancel import',
  description: 'Ends an import. Chats that are here already stay; the same file again brings in the rest.',
  input: { params: ofImport },
  output: { status: 204, description: 'It is over.' },
  async use({ ports, ownerId, params }) {
    await useCases.cancelImport(ports, { ownerId, importId: params.id })
    return undefined
  },
})

const elsewhere =
  'Sessions of agents are read on your own machine only, in the browser of the person who owns it. Import their files.'

const found: AgentSessions = {
  sessions: [
    {
      id: 'claude-code/-home-ada-trips/7801b8ed-252d-4174-8045-4bee94c511ae.jsonl',
      client: 'claude-code',
      title: 'Mend the tests',
      project: 'trips',
      messages: 44,
      at: '2026-03-14T09:26:53.589Z',
    },
  ],
  problems: [],
  import_ids: [example.id],
}

export const importAgentSessions = defineOperation({
  id: 'importAgentSessions',
  method: 'post',
  path: '/api/import/agents',
  tag: 'Import',
  summary: 'Import agent sessions',
  description:
    'Finds the sessions that Claude Code, Codex, opencode and pi have left on the machine of the server, and imports those that are named; without `sessions` it only lists them. Only the owner of the machine may ask, without a key. Nothing outside of the folders of these clients is read.',
  input: {
    body: z.object({
      sessions: z
        .array(z.string().max(1000))
        .max(20_000)
        .default([])
        .meta({ description: 'Ids of those to import' }),
    }),
  },
  example: { sessions: ['claude-code/-home-ada-trips/7801b8ed-252d-4174-8045-4bee94c511ae.jsonl'] },
  output: { description: 'All sessions, the latest first.', schema: agentSessions, example: found },
  refusals: { not_own_machine: elsewhere },
  async use({ request, viewer, ownerId, ports, services, body }) {
    const { signal } = request
    const { agentFolders } = services
    if (viewer.credential.kind !== 'owner' || agentFolders.length === 0)
      throw new RequestRefusedError(409, 'not_own_machine', elsewhere)
    return uploads.pass(ownerId, async () => {
      const { sessions, problems, close } = await findAgentSessions(agentFolders, { signal })
      try {
        const wanted = new Set(body.sessions)
        const import_ids: string[] = []
        const chosen = sessions.filter(({ id }) => wanted.has(id))
        await packSessions(chosen, async (archive) => {
          const started = await useCases.startImport(ports, { ownerId, ...archive, signal })
          if (!started) throw new UnauthenticatedError(viewer.credential.kind)
          import_ids.push(started.importId)
        })
        return {
          sessions: sessions.map(({ id, source: client, title, project, messages, at }) => ({
            id,
            client,
            title,
            project,
            messages,
            at: at === null ? null : new Date(at).toISOString(),
          })),
          problems,
          import_ids,
        }
      } finally {
        await close()
      }
    })
  },
})
