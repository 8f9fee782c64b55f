import { describeEngineProperties } from '@/testing/properties/engine-properties'
import { openMemoryStore } from '@/testing/worlds/memory-store'

describeEngineProperties(
  'InMemoryContextStore',
  async () => {
    const memory = await openMemoryStore()
    return { ...memory, reopen: () => memory.store, thorough: true }
  },
  { runs: 300, length: 50 },
)
