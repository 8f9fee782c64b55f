import { checkDatabase, findingLine } from '@/lib/store/admin/check-database'
import { DrizzleContextStore } from '@/lib/store/writes/drizzle-context-store'
import { describeEngineProperties } from '@/testing/properties/engine-properties'
import { onEachDatabase } from '@/testing/worlds/open-stores'

onEachDatabase('engine', ({ name, open }) => {
  describeEngineProperties(
    name,
    async () => {
      const { store, close } = await open()
      const { database } = store
      return {
        store,
        reopen: () => new DrizzleContextStore(database),
        findings: async (chatId) => (await checkDatabase(database, { chatId })).map(findingLine),
        thorough: false,
        close,
      }
    },
    // both databases run the same functions; Postgres, the faster one, takes most of the sequences
    process.env.RAMIFY_TEST_LONG
      ? { runs: 24, length: 50, onceFailed: true }
      : name === 'postgres'
        ? { runs: 6, length: 50, onceFailed: true }
        : { runs: 1, length: 30 },
  )
})
