import { InMemoryContextStore } from '@/lib/context/store/in-memory-context-store'
import { describeStoreContract } from '@/testing/contracts/store-contract'

describeStoreContract('InMemoryContextStore', async () => ({
  store: new InMemoryContextStore(),
  close: async () => undefined,
}))
