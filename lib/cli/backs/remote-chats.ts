import { openAsBlob } from 'node:fs'
import type { UIMessageChunk } from 'ai'
import { z } from 'zod'
import type { ThreadMove } from '@/lib/conversations'
import { mergeModes, moveKinds, newId } from '@/lib/events'
import type { Graph, ImportChoice } from '@/lib/protocol'
import { chatPage } from '@/lib/protocol/chat-list'
import { threadWindow } from '@/lib/protocol/chat-view'
import { graphAnswer } from '@/lib/protocol/graph'
import { previewForm } from '@/lib/protocol/import-part'
import { importPreview, importReport, startedImport } from '@/lib/protocol/imports'
import {
  addedRemote,
  type ExchangeVerb,
  exchanged,
  remoteList,
  remoteState,
} from '@/lib/protocol/remotes/remotes'
import { CommandError, MissingError } from '../errors'
import type { ApiClient } from './api-client'
import type {
  ChatsPort,
  ExchangeAsked,
  GivenRemote,
  ImportFile,
  MergeAsked,
  MergeOrder,
  SentTurn,
  TakenTurn,
} from './chats-port'

const movedThread = z.object({ chat_id: z.string(), thread_id: z.string() })
const undone = z.object({ thread_id: z.string(), move: z.enum(moveKinds), says: z.string() })
const merged = z.object({ message_id: z.string() })
const preview = z.object({
  base_message_id: z.string().nullable(),
  mode: z.enum(mergeModes),
  brief: z.string(),
  conflicts: z.array(
    z.object({
      id: z.string(),
      about: z.string(),
      source: z.string().nullable(),
      target: z.string().nullable(),
      source_message_id: z.string().nullable(),
      target_message_id: z.string().nullable(),
    }),
  ),
  quotes: z.array(z.object({ message_id: z.string(), text: z.string() })),
  message_count: z.int(),
  written_by: z.string().nullable(),
  failure: z.string().nullable(),
})

/** A person's chats on a server, over its HTTP API. The key decides the person and the permissions. */
export class RemoteChats implements ChatsPort {
  constructor(private readonly api: ApiClient) {}

  get place(): string {
    return this.api.origin
  }

  listChats(query: { archived?: boolean; cursor?: string; limit?: number }) {
    return this.api.json('GET', '/api/chats', chatPage, { query })
  }

  async readGraph(chatId: string): Promise<Graph | undefined> {
    try {
      const answer = await this.api.json('GET', `/api/chats/${encodeURIComponent(chatId)}/graph`, graphAnswer)
      // without `since` and `columns`, the answer is the whole graph
      return answer as Graph
    } catch (error) {
      if (error instanceof MissingError) return undefined
      throw error
    }
  }

  readWindow(chatId: string, query: { branch: string; before?: number; limit: number }) {
    return this.api.json('GET', `/api/chats/${encodeURIComponent(chatId)}/messages`, threadWindow, { query })
  }

  move(threadId: string, asked: ThreadMove) {
    const { command, ...body } = commandOf(asked)
    return this.#command(command, movedThread, { thread_id: threadId, ...body })
  }

  moveBack(which: 'undo' | 'redo', chatId: string) {
    return this.#command(which, undone, { chat_id: chatId })
  }

  async previewMerge({ sourceId, targetId, mode, signal }: MergeAsked & { signal: AbortSignal }) {
    const found = await this.api.json('POST', '/api/commands/merge-preview', preview, {
      body: { source_thread_id: sourceId, target_thread_id: targetId, mode },
      signal,
    })
    return {
      mode: found.mode,
      baseId: found.base_message_id,
      count: found.message_count,
      brief: found.brief,
      writtenBy: found.written_by,
      failure: found.failure,
      quotes: found.quotes.map(({ message_id: messageId, text }) => ({ messageId, text })),
      conflicts: found.conflicts.map(({ source_message_id, target_message_id, ...rest }) => ({
        ...rest,
        sourceMessageId: source_message_id ?? undefined,
        targetMessageId: target_message_id ?? undefined,
      })),
    }
  }

  merge({ sourceId, targetId, mode, brief, quotes, conflicts, resolutions }: MergeOrder) {
    return this.#command('merge-threads', merged, {
      source_thread_id: sourceId,
      target_thread_id: targetId,
      mode,
      brief,
      resolutions,
      quotes: quotes.map(({ messageId: message_id, text }) => ({ message_id, text })),
      conflicts: conflicts.map(({ sourceMessageId, targetMessageId, ...rest }) => ({
        ...rest,
        source_message_id: sourceMessageId ?? null,
        target_message_id: targetMessageId ?? null,
      })),
    })
  }

  async exportChat(chatId: string, { without, ...asked }: Parameters<ChatsPort['exportChat']>[1]) {
    const query = { ...asked, ...(without && without.length > 0 && { without: without.join(',') }) }
    const response = await this.api.send('GET', `/api/chats/${encodeURIComponent(chatId)}/export`, { query })
    if (!response.body) throw new CommandError(`${this.place} sent an empty file.`)
    const [, called = ''] =
      /filename\*=UTF-8''([^;]+)/.exec(response.headers.get('content-disposition') ?? '') ?? []
    return { name: decodeURIComponent(called) || `${chatId}.${query.format}`, content: response.body }
  }

  async previewImport({ path, name, signal }: ImportFile) {
    const file = await openAsBlob(path)
    const ask = async (from?: number) =>
      this.api.json('POST', '/api/import/preview', importPreview, {
        form: await previewForm(file, name, from),
        signal,
      })
    const first = await ask()
    return first.next === undefined ? first : ask(first.next)
  }

  async startImport({ path, name, signal, choice }: ImportFile & { choice?: ImportChoice }) {
    const fields = Object.entries(choice ?? {}).map(([field, ids]: [string, string[]]) => [field, ids.join()])
    const file = { path, name, fields: Object.fromEntries(fields) }
    const started = await this.api.json('POST', '/api/import', startedImport, { file, signal })
    return started.import_id
  }

  readImport(importId: string) {
    return this.api.json('GET', `/api/import/${encodeURIComponent(importId)}`, importReport)
  }

  async cancelImport(importId: string): Promise<void> {
    await this.api.send('DELETE', `/api/import/${encodeURIComponent(importId)}`)
  }

  async listRemotes() {
    return (await this.api.json('GET', '/api/remotes', remoteList)).remotes
  }

  addRemote({ name, url, key }: GivenRemote) {
    const body = { name, url, ...(key !== undefined && { key }) }
    return this.api.json('POST', '/api/remotes', addedRemote, { body })
  }

  async removeRemote(name: string): Promise<void> {
    await this.api.send('DELETE', `/api/remotes/${encodeURIComponent(name)}`)
  }

  exchange(verb: ExchangeVerb, { remote, chatId, branch, signal }: ExchangeAsked) {
    const body = { chat_id: chatId, ...(branch !== undefined && { branch }) }
    const path = `/api/remotes/${encodeURIComponent(remote)}/${verb}`
    return this.api.json('POST', path, exchanged, { body, signal })
  }

  readRemoteState(remote: string, chatId: string) {
    const path = `/api/remotes/${encodeURIComponent(remote)}/state`
    return this.api.json('GET', path, remoteState, { query: { chat_id: chatId } })
  }

  async takeTurn({ chatId, branch, message, model }: SentTurn): Promise<TakenTurn> {
    const { id, text } = message
    const said = { id, role: 'user', parts: [{ type: 'text', text }] }
    const { body } = await this.api.send('POST', '/api/chat', {
      body: { id: chatId, branch, message: said, model, trigger: 'submit-message' },
    })
    if (!body) throw new CommandError(`${this.place} sent no reply.`)
    const ended = Promise.withResolvers<void>()
    return { parts: partsOf(body, ended.resolve), ended: ended.promise }
  }

  async stopReply(chatId: string, runId: string): Promise<void> {
    await this.api.send('POST', `/api/chat/${encodeURIComponent(chatId)}/stop`, { body: { runId } })
  }

  async close(): Promise<void> {
    // a request leaves nothing open
  }

  #command<Schema extends z.ZodType>(command: string, schema: Schema, body: object) {
    return this.api.json('POST', `/api/commands/${command}`, schema, { body, once: newId() })
  }
}

/** A move as the command of the API that makes it. */
function commandOf(asked: ThreadMove): { command: string } & Record<string, unknown> {
  switch (asked.move) {
    case 'rewind':
      return {
        command: 'rewind-thread',
        message_id: asked.messageId,
        name: asked.name,
        activate: asked.activate,
      }
    case 'save-checkpoint':
      return { command: asked.move, message_id: asked.messageId, name: asked.name }
    case 'remove-checkpoint':
    case 'restore-checkpoint':
      return { command: asked.move, name: asked.name }
    case 'rename':
      return { command: 'rename-thread', name: asked.name }
    case 'archive':
      return { command: 'archive-thread', switch_to: asked.switchTo }
    case 'leave-out':
      return { command: asked.move, message_ids: asked.messageIds, left_out: asked.leftOut }
    case 'switch':
    case 'unarchive':
      return { command: `${asked.move}-thread` }
  }
}

async function* partsOf(body: ReadableStream<Uint8Array>, over: () => void): AsyncGenerator<UIMessageChunk> {
  // it takes longer to load than most commands take
  const { parseJsonEventStream, uiMessageChunkSchema } = await import('ai')
  try {
    const events = parseJsonEventStream({ stream: body, schema: uiMessageChunkSchema })
    for await (const event of events) {
      if (!event.success)
        throw new CommandError(
          'The reply came in a form that is not known. Is the server of another version?',
        )
      yield event.value
    }
  } catch (error) {
    if (error instanceof CommandError) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw new CommandError(
      `The connection broke off (${why}). The server writes the reply to its end: \`ramify show\` has it then.`,
    )
  } finally {
    over()
  }
}
