import { describeStoreContract } from '@/lib/testing/store-contract'
import { InMemoryContextStore } from './in-memory-context-store'

describeStoreContract('InMemoryContextStore', async () => ({
  store: new InMemoryContextStore(),
  close: async () => undefined,
}))
