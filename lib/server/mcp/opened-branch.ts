import 'server-only'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { type CommandKey, canonicalJson } from '@/lib/context'
import * as useCases from '@/lib/conversations'
import { branchPath, shownBranch } from './fields'

// The writing tools share these: keys of calls, and branches that they open.

/** The key of a call, which is done once for each. Equal inputs are one call, in any order of their fields. */
export function onceOf(
  tool: string,
  { idempotency_key, ...input }: { idempotency_key?: string | undefined },
) {
  if (idempotency_key === undefined) return undefined
  const bodyHash = createHash('sha256').update(canonicalJson(input)).digest('hex')
  return { key: idempotency_key, route: `mcp/${tool}`, bodyHash } satisfies CommandKey
}

export const openedBranch = z.object({
  ...shownBranch,
  from_message_id: z.string(),
})

interface Opened {
  ownerId: string
  chatId: string
  branchId: string
  from: string
  pageAt(path: string): string
}

/** A branch that was opened, under the name that it got. */
export async function opened(ports: useCases.Ports, { ownerId, chatId, branchId, from, pageAt }: Opened) {
  const { name } = await useCases.readBranchPlace(ports, { ownerId, chatId, branch: branchId })
  return {
    chat_id: chatId,
    branch_id: branchId,
    branch: name,
    from_message_id: from,
    page_url: pageAt(branchPath(chatId, name)),
  }
}
