import { afterAll, beforeAll, describe } from 'vitest'
import type { ContextStore } from '@/lib/context'
import { describeAddMessage } from './store-contract/add-message'
import { describeChats } from './store-contract/chats'
import { describeDecisions } from './store-contract/decisions'
import { describeForks } from './store-contract/forks'
import { describeImpossibleIds } from './store-contract/impossible-ids'
import { describeLog } from './store-contract/log'
import { describeMessages } from './store-contract/messages'
import { describeOwnIds } from './store-contract/own-ids'
import { describeRefs } from './store-contract/refs'
import { describeRuns } from './store-contract/runs'
import { describeReading } from './store-contract/search'
import type { GetStore } from './store-contract/story'

/** A store under test, and how to let go of it. */
export interface OpenedStore {
  store: ContextStore
  close(): Promise<void>
}

/** Opens one store for a whole suite; its tests use chats and users of their own and need no clean one. */
export function useStore(open: () => Promise<OpenedStore>): GetStore {
  let opened: OpenedStore | undefined
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened?.close())
  return () => {
    if (!opened) throw new Error('the store is not open')
    return opened.store
  }
}

/**
 * What every `ContextStore` promises, as a Vitest suite. An implementation calls it from a short test file.
 *
 * @param open called once; the store may hold other chats already
 */
export function describeStoreContract(name: string, open: () => Promise<OpenedStore>): void {
  describe(`${name} keeps the store contract`, () => {
    const getStore = useStore(open)
    describeChats(getStore)
    describeMessages(getStore)
    describeRefs(getStore)
    describeForks(getStore)
    describeOwnIds(getStore)
    describeLog(getStore)
    describeDecisions(getStore)
    describeRuns(getStore)
    describeReading(getStore)
    describeAddMessage(getStore)
    describeImpossibleIds(getStore)
  })
}
