import { checkDatabase, findingLine } from '@/lib/store/admin/check-database'
import { rebuild } from '@/lib/store/admin/rebuild/rebuild'
import { describeMoveProperties } from '@/testing/properties/move-properties'
import { onEachDatabase } from '@/testing/worlds/open-stores'

onEachDatabase('moves', ({ name, open }) => {
  describeMoveProperties(
    name,
    async () => {
      const { store, close } = await open()
      return {
        store,
        async findings(chatId) {
          const findings = (await checkDatabase(store.database, { chatId })).map(findingLine)
          // and the refs are what the log tells
          const { differences } = await rebuild(store.database, { chatId, dry: true })
          return differences === 0 ? findings : [...findings, `${differences} differences from the log`]
        },
        close,
      }
    },
    process.env.RAMIFY_TEST_LONG
      ? { runs: 4, length: 200 }
      : name === 'postgres'
        ? { runs: 2, length: 80 }
        : { runs: 1, length: 30 },
  )
})
