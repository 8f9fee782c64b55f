import { describe } from 'vitest'
import type { ContextStore } from '@/lib/context'
import { describeAddMessage } from './store/add-message'
import { describeChats } from './store/chats'
import { describeDecisions } from './store/decisions'
import { describeImporting } from './store/importing'
import { describeImpossibleIds } from './store/impossible-ids'
import { describeLog } from './store/log'
import { describeMerging } from './store/merging'
import { describeMessages } from './store/messages'
import { describeOwnIds } from './store/own-ids'
import { describeRefs } from './store/refs'
import { describeRunStreams } from './store/run-streams'
import { describeRuns } from './store/runs'
import { describeReading } from './store/search'
import type { GetStore } from './store/story'
import { describeUndo } from './store/undo'
import { useOpened } from './use-opened'

/** A store under test, and how to let go of it. */
export interface OpenedStore {
  store: ContextStore
  close(): Promise<void>
}

/** Opens one store for a whole suite; its tests use chats and users of their own and need no clean one. */
export function useStore(open: () => Promise<OpenedStore>): GetStore {
  const opened = useOpened(open)
  return () => opened().store
}

/** What every `ContextStore` promises, as a Vitest suite on one store, which may hold other chats already. */
export function describeStoreContract(name: string, open: () => Promise<OpenedStore>): void {
  describe(`${name} keeps the store contract`, () => {
    const getStore = useStore(open)
    describe('chats', () => describeChats(getStore))
    describe('messages', () => describeMessages(getStore))
    describeRefs(getStore)
    describe('ids that others have', () => describeOwnIds(getStore))
    describe('the log', () => describeLog(getStore))
    describe('what is decided on the log alone', () => describeDecisions(getStore))
    describe('undo and redo', () => describeUndo(getStore))
    describeMerging(getStore)
    describe('a conversation that was held elsewhere', () => describeImporting(getStore))
    describe('runs', () => describeRuns(getStore))
    describe('runs while they are written', () => describeRunStreams(getStore))
    describe('search and graph', () => describeReading(getStore))
    describe('addMessage', () => describeAddMessage(getStore))
    describe('ids and names that nothing has or can have', () => describeImpossibleIds(getStore))
  })
}
