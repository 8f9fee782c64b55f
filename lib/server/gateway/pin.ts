import 'server-only'
import type { AgentPin, AgentPlace } from '@/lib/gateway/agent-call'

/** The headers that name a place in the graph. */
const names = { chat: 'x-ramify-chat', branch: 'x-ramify-branch', message: 'x-ramify-message' }

/** The place that an agent says that its call belongs to. */
export function pinOf({ headers }: Request): AgentPin {
  return Object.fromEntries(
    Object.entries(names).flatMap(([part, name]) => {
      const value = headers.get(name)
      return value ? [[part, value]] : []
    }),
  )
}

/** The headers that tell an agent where its reply is. */
export const placeHeaders = ({ chatId, branchId, messageId }: AgentPlace): Record<string, string> => ({
  [names.chat]: chatId,
  [names.branch]: branchId,
  [names.message]: messageId,
})
