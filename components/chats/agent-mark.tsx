import {
  Asterisk,
  Bot,
  ChevronsRight,
  CodeXml,
  Feather,
  type LucideIcon,
  Pi,
  Plug,
  Terminal,
} from 'lucide-react'
import { type AgentClient, agentClientNames } from '@/lib/events/agent-client'

const icons: Readonly<Record<AgentClient, LucideIcon>> = {
  'claude-code': Asterisk,
  codex: Terminal,
  opencode: CodeXml,
  'qwen-code': Feather,
  continue: ChevronsRight,
  cline: Bot,
  pi: Pi,
  api: Plug,
}

/** The program of the agent that writes in a chat. */
export function AgentMark({ agent }: { agent: AgentClient }) {
  const Icon = icons[agent]
  const name = agentClientNames[agent]
  return (
    <span className="grid shrink-0 place-items-center text-muted" title={name}>
      <Icon size={13} aria-hidden />
      <span className="sr-only">, by {name}</span>
    </span>
  )
}
