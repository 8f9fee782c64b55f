import type { AgentPorts } from '@/lib/conversations'
import { newId } from '@/lib/events'
import { checkDatabase, findingLine, rebuild } from '@/lib/store'
import { describeAgentProperties } from '@/testing/properties/agent-properties'
import { onOneDatabase } from '@/testing/worlds/open-stores'

onOneDatabase('agents', ({ name, open }) => {
  describeAgentProperties(
    name,
    async () => {
      const { store, close } = await open()
      return {
        store,
        // agents without pins and files need no more
        ports: { store, clock: Date.now, newId } as unknown as AgentPorts,
        async findings(chatId) {
          const findings = (await checkDatabase(store.database, { chatId })).map(findingLine)
          // and the refs are what the log tells
          const { differences } = await rebuild(store.database, { chatId, dry: true })
          return differences === 0 ? findings : [...findings, `${differences} differences from the log`]
        },
        close,
      }
    },
    { runs: process.env.RAMIFY_TEST_LONG && name === 'postgres' ? 12 : 5, length: 12 },
  )
})
