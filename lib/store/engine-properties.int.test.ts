import { describe } from 'vitest'
import { describeEngineProperties } from '@/lib/testing/engine-properties'
import { storeKinds } from '@/lib/testing/open-stores'
import { checkDatabase, findingLine } from './check-database'
import { DrizzleContextStore } from './drizzle-context-store'

for (const { name, open, missing } of storeKinds) {
  describe.skipIf(missing)(name, () => {
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
      { runs: 120, length: 50 },
    )
  })
}
