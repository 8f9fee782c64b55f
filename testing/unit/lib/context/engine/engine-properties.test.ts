import { InMemoryContextStore } from '@/lib/context/store'
import { describeEngineProperties } from '@/testing/properties/engine-properties'

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
  { runs: process.env.RAMIFY_TEST_LONG ? 300 : 100, length: 50, onceFailed: true },
)
