import { InMemoryContextStore } from '@/lib/context/store'
import { describeMoveProperties } from '@/testing/properties/move-properties'

describeMoveProperties(
  'InMemoryContextStore',
  async () => ({
    store: new InMemoryContextStore(),
    findings: async () => [],
    close: async () => undefined,
  }),
  { runs: 20, length: 200 },
)
