import { InMemoryContextStore } from '@/lib/context/store'

/** A store in memory, for suites that run on every store. */
export const openMemoryStore = async () => ({
  store: new InMemoryContextStore(),
  findings: async () => [],
  close: async () => undefined,
})
