import { findingsIn } from '@/testing/properties/findings'
import { describeMoveProperties } from '@/testing/properties/move-properties'
import { onEachDatabase } from '@/testing/worlds/open-stores'

onEachDatabase('moves', ({ name, open }) => {
  describeMoveProperties(
    name,
    async () => {
      const { store, close } = await open()
      return {
        store,
        findings: (chatId) => findingsIn(store, chatId),
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
