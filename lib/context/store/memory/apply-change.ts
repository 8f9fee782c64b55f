import type { BranchId } from '@/lib/events'
import { type Deed, decideChange, noRows, type Written } from '../../commit'
import type { Change, Committed } from '../change'
import { NameTakenError, NotFoundError } from '../errors'
import { keepNodes } from './agent-nodes'
import { copyOf, emptyChat, type MemoryChat, type MemoryChats } from './memory-chat'

/**
 * Applies a change: `decideChange` decides it as for a database, and this store keeps its rows.
 *
 * @param change checked, and not shared: its parts are kept
 * @throws the refusals of `ContextStore.commit`; `chats` is then as it was
 */
export function applyChange(chats: MemoryChats, change: Change): Committed {
  const { chatId, create } = change
  const chat = copyOf(chats.get(chatId) ?? emptyChat(chatId, create?.userId ?? ''))
  const written = noRows()
  const { added: _counted, ...committed } = decideChange(chat.state, change, written)
  keepRows(chats, chat, written)
  chats.set(chatId, chat)
  return committed
}

function keepRows(chats: MemoryChats, chat: MemoryChat, { rows, bodies }: Written): void {
  const { chatId, createdAt } = chat.state
  for (const { id, model, setup } of rows.contexts) chat.contexts.set(id, { model, setup })
  for (const { lane, parentLane, baseDepth } of rows.lanes)
    chat.lanes[lane] = { parentLane, baseDepth, ids: [] }
  // shared with the chat before, so each is copied before it grows
  for (const lane of new Set(rows.messages.map(({ lane }) => lane))) {
    const line = chat.lanes[lane]
    if (line) chat.lanes[lane] = { ...line, ids: [...line.ids] }
  }
  for (const { lane, depth, body, preview, holds: _held, ...message } of rows.messages) {
    const record = { ...message, chatId, data: JSON.parse(bodies[body - 1] ?? '') }
    chat.messages.set(message.id, { record, preview, lane, depth })
    chat.lanes[lane]?.ids.push(message.id)
  }
  for (const { actor: _person, ...event } of rows.events) {
    if (event.type === 'ThreadCreated') refuseElsewhere(chats, chat, event.streamId)
    chat.events.push(event)
  }
  for (const deed of rows.deeds) carryOut(deed, chats, chat)
  for (const { mergeParentId, copiedFromId, runId } of rows.messages) {
    for (const id of [mergeParentId, copiedFromId])
      if (id !== undefined && !chat.messages.has(id)) throw new NotFoundError('message', id)
    if (runId !== undefined && !chat.runs.has(runId)) throw new NotFoundError('run', runId)
  }
  chat.updatedAt = Math.max(chat.updatedAt, createdAt, rows.at)
}

/** As the keys of the tables do, for a branch id of the owner's other chat. */
function refuseElsewhere(chats: MemoryChats, { state, userId }: MemoryChat, branchId: BranchId): void {
  for (const [id, other] of chats)
    if (id !== state.chatId && other.userId === userId && other.state.threads.has(branchId))
      throw new NameTakenError(`A branch with the id "${branchId}" exists already`)
}

function carryOut(deed: Deed, chats: MemoryChats, chat: MemoryChat): void {
  switch (deed.do) {
    case 'wait for none':
      // all runs are known here: `decide` has refused
      return
    case 'queue': {
      const { do: _, id: runId, leaseMs, at: _asked, ...asked } = deed
      if ([...chats.values(), chat].some(({ runs }) => runs.has(runId)))
        throw new Error(`A run with the id "${runId}" exists already`)
      const taken = leaseMs == null ? 0 : 1
      const { chatId } = chat.state
      const begun = { attempt: 1, stopping: false, endedAt: null, parts: [] }
      const status = taken ? 'running' : 'queued'
      chat.runs.set(runId, { ...asked, ...begun, runId, chatId, status, fence: taken })
      return
    }
    case 'end': {
      const run = chat.runs.get(deed.id)
      if (run) chat.runs.set(deed.id, { ...run, status: deed.status, endedAt: deed.at })
      return
    }
    case 'nodes':
      keepNodes(chats, chat, deed)
      return
    case 'keep':
      throw new Error('A store in memory keeps no replays and bisects: nothing drives them')
    default: {
      const unknown: never = deed
      throw new Error(`no meaning is given to ${JSON.stringify(unknown)}`)
    }
  }
}
