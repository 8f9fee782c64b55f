import type { Metadata } from 'next'
import { AgentsPage } from '@/components/docs/agents-page'
import { mcpTools } from '@/lib/server/mcp/tools'
import { readAgentAddress } from '@/lib/server/pages/agent-address'

export const metadata: Metadata = {
  title: 'Agents',
  description: 'How agents and other clients use Ramify: base URLs, settings and MCP.',
}

/** `/docs/agents`: what to set in a client. */
export default async function AgentDocs() {
  const tools = mcpTools.map(({ name, scope, listed }) => ({
    name,
    description: listed.description ?? '',
    writes: scope === 'write',
  }))
  return <AgentsPage address={await readAgentAddress()} tools={tools} />
}
