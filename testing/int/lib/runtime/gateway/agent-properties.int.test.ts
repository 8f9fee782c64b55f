import type { AgentPorts } from '@/lib/conversations'
import { newId } from '@/lib/events'
import { describeAgentProperties } from '@/testing/properties/agent-properties'
import { findingsIn } from '@/testing/properties/findings'
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
        findings: (chatId) => findingsIn(store, chatId),
        close,
      }
    },
    { runs: process.env.RAMIFY_TEST_LONG && name === 'postgres' ? 12 : 5, length: 12 },
  )
})
