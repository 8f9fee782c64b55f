import { describe } from 'vitest'
import { checkDatabase, findingLine } from '@/lib/store/admin/check-database'
import { DrizzleContextStore } from '@/lib/store/writes/drizzle-context-store'
import { describeEngineProperties } from '@/testing/properties/engine-properties'
import { storeKinds } from '@/testing/worlds/open-stores'

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
