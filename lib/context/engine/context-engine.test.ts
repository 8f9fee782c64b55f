import { describeEngineContract } from '@/lib/testing/engine-contract'
import { InMemoryContextStore } from '../store'

describeEngineContract('InMemoryContextStore', async () => ({
  store: new InMemoryContextStore(),
  close: async () => undefined,
}))
