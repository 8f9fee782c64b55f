import 'server-only'
import { type Ports, takeProposal as take } from '@/lib/conversations'
import type { ChatActions, Moved } from '@/lib/protocol'
import { getServices } from '@/lib/runtime'
import { proposingPorts } from '../api/remotes/proposals'

type Input = Parameters<ChatActions['takeProposal']>[0] & { ownerId: string }

/** Takes a proposal as its owner has reviewed it on the page. */
export async function takeProposal(
  ports: Ports,
  { proposalId: id, mode, messageIds = [], chatId: _chat, ...review }: Input,
): Promise<Moved> {
  const proposing = proposingPorts(await getServices(), ports)
  if (mode !== 'messages') return take(proposing, { ...review, id, mode })
  const { ownerId, headId, targetId } = review
  return take(proposing, { ownerId, id, headId, targetId, mode, messageIds })
}
