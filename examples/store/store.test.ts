import { InMemoryContextStore } from '@ramify/context'
import { describeEngineContract, describeStoreContract, type OpenedStore } from '@ramify/context/testing'
import { DrizzleContextStore } from '@ramify/context-postgres'
import { vi } from 'vitest'

// an embedded database takes its time to open
vi.setConfig({ hookTimeout: 240_000, testTimeout: 240_000 })

const inMemory = async (): Promise<OpenedStore> => ({
  store: new InMemoryContextStore(),
  close: async () => undefined,
})

const onPglite = async (): Promise<OpenedStore> => {
  const store = await DrizzleContextStore.open({ dataDir: 'memory://' })
  return { store, close: () => store.close() }
}

// put your own store in their place
describeStoreContract('the store in memory', inMemory)
describeEngineContract('the store in memory', inMemory)
describeStoreContract('the store on PGlite', onPglite)
describeEngineContract('the store on PGlite', onPglite)
