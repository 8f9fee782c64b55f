import { describeEngineProperties } from '@/testing/properties/engine-properties'
import { openMemoryStore } from '@/testing/worlds/memory-store'

describeEngineProperties(
  'InMemoryContextStore',
  async () => {
    const memory = await openMemoryStore()
    return { ...memory, reopen: () => memory.store, thorough: true }
  },
  { runs: process.env.RAMIFY_TEST_LONG ? 300 : 100, length: 50, onceFailed: true },
)
