import { expect } from 'vitest'
import { type ContextStore, planRestore } from '@/lib/context'
import { chatFileText, refsOf } from '@/lib/conversations/exports/chat-file'
import {
  readChatFile,
  restoredContexts,
  restoredLog,
  restoredMessages,
} from '@/lib/conversations/imports/read-chat-file'
import { newId } from '@/lib/events'
import type { ChatFile } from '@/lib/protocol'
import { namedContexts } from './engine/context-command'

/** A chat of any store as the text of its file, under another id than its key. */
async function fileTextOf(store: ContextStore, chatId: string, called: string): Promise<string> {
  const [events, messages] = [await store.getEvents(chatId), await store.getMessages(chatId)]
  const named = new Set(messages.map(({ contextId }) => contextId))
  for (const { payload } of events) {
    if ('context_id' in payload) named.add(payload.context_id ?? undefined)
    if ('from_context_id' in payload) named.add(payload.from_context_id ?? undefined)
  }
  let text = ''
  for await (const piece of chatFileText({
    called,
    events,
    checkpointIds: {},
    summaries: [],
    files: [],
    kept: {},
    contexts: namedContexts.filter(({ id }) => named.has(id)),
    async *messages() {
      yield* messages
    },
    pieces: () => {
      throw new Error('the chat has no files')
    },
  })) {
    text += piece
  }
  return text
}

/** Restores the file of a chat beside it, for another person. */
async function restoreIn(store: ContextStore, file: ChatFile, chatId = newId()): Promise<string> {
  const userId = newId()
  await store.upsertChat({ id: newId(), userId })
  const ids = { chatId, branch: (id: string) => id, files: new Map<string, string>() }
  const log = restoredLog(file, ids)
  const messages = restoredMessages(file, ids)
  const planning = planRestore({ chatId, userId, log, messages })
  let planned = planning.next()
  while (!planned.done) planned = planning.next()
  const { create, steps, state } = planned.value
  expect(refsOf(state, file.chat.id)).toEqual({
    chat: file.chat,
    branches: file.branches,
    checkpoints: file.checkpoints,
  })
  const at = Date.parse(file.chat.updatedAt)
  await store.commit({ chatId, at, ...(create && { create }), contexts: restoredContexts(file), steps })
  return chatId
}

/** Then the chat, restored from its file for another person, has the same file again, byte for byte. */
export async function checkRestore(store: ContextStore, chatId: string): Promise<string> {
  const text = await fileTextOf(store, chatId, chatId)
  const copy = await restoreIn(store, await readChatFile([Buffer.from(text)]))
  expect(await fileTextOf(store, copy, chatId)).toBe(text)
  return copy
}
