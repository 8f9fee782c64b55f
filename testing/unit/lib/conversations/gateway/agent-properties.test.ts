import { InMemoryContextStore } from '@/lib/context/store'
import type { AgentPorts } from '@/lib/conversations'
import { newId } from '@/lib/events'
import { describeAgentProperties } from '@/testing/properties/agent-properties'

describeAgentProperties(
  'InMemoryContextStore',
  async () => {
    const store = Object.assign(new InMemoryContextStore(), { spend: async () => undefined })
    // agents without pins and files need no more
    const ports = { store, clock: Date.now, newId } as unknown as AgentPorts
    return { store, ports, findings: async () => [], close: async () => undefined }
  },
  { runs: 60, length: 12 },
)
