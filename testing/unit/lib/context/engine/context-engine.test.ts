import { InMemoryContextStore } from '@/lib/context/store'
import { describeEngineContract } from '@/testing/contracts/engine-contract'

describeEngineContract('InMemoryContextStore', async () => ({
  store: new InMemoryContextStore(),
  close: async () => undefined,
}))
