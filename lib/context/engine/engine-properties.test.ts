import { describeEngineProperties } from '@/lib/testing/engine-properties'
import { InMemoryContextStore } from '../store'

describeEngineProperties(
  'InMemoryContextStore',
  async () => {
    const store = new InMemoryContextStore()
    return {
      store,
      reopen: () => store,
      findings: async () => [],
      thorough: true,
      close: async () => undefined,
    }
  },
  { runs: 300, length: 50 },
)
