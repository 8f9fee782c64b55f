import { NotFoundError } from '@/lib/context'
import { isReached, outlined, type Place } from './coverage'
import { NotFastForwardError, OtherOriginError } from './errors'
import { type Exchange, placeIn, type Uses } from './exchange-state'
import { headsOf } from './fetch-chat'
import type { PushResult, RefUpdate } from './remote-server'
import { packLines } from './write-pack'

/**
 * Sends the messages that the remote lacks, and moves its branches forward. Archived and empty branches stay
 * here.
 *
 * @param exchange.branch the only branch to push; all by default
 * @returns the answer of the remote; without updates when it has everything
 * @throws NotFastForwardError for a branch that the remote has continued
 */
export async function pushChat(
  ports: Uses,
  { ownerId, chatId, remote, server, branch: only }: Exchange & { branch?: string | undefined },
): Promise<PushResult> {
  const [chat, refs] = await Promise.all([
    ports.exchange.standing(chatId, ownerId, remote.id),
    server.refs(chatId),
  ])
  if (!chat) throw new NotFoundError('chat', chatId)
  if (refs && refs.origin !== chat.origin) throw new OtherOriginError()
  const there = new Map(refs?.branches.map(({ name, headMessageId }) => [name, headMessageId]))
  const known = await ports.exchange.places(chat.chatId, refs ? headsOf(refs) : [])
  const { reach } = outlined(chat, 'parents')
  const own = chat.branches.filter(
    ({ name, isArchived, messageId }) => !isArchived && messageId !== null && (only ?? name) === name,
  )
  if (only !== undefined && own.length === 0) throw new NotFoundError('branch', only)
  const pushed = own.flatMap((branch): (RefUpdate & { place: Place[] })[] => {
    const { name, messageId } = branch
    const old = there.get(name) ?? null
    if (messageId === null || messageId === old) return []
    const place = placeIn(branch)
    const oldPlace = old === null ? undefined : known.get(old)
    const isForward = old === null || (oldPlace !== undefined && isReached(reach(place), oldPlace))
    if (isForward) return [{ branch: name, old, new: messageId, place }]
    // the remote is only further on: there is nothing to push
    const [at] = place
    if (oldPlace && at && isReached(reach([oldPlace]), at)) return []
    throw new NotFastForwardError(name)
  })
  if (pushed.length === 0) return { outcome: 'updated', updated: [] }
  const lines = packLines(ports, chat, {
    ownerId,
    want: pushed.flatMap(({ place }) => place),
    have: [...known.values()],
  })
  const updates = pushed.map(({ branch, old, new: to }) => ({ branch, old, new: to }))
  const result = await server.push(chatId, lines, updates)
  if (result.outcome === 'updated') {
    const seen = result.updated.map(({ branch, headMessageId }) => ({
      kind: 'branch' as const,
      name: branch,
      messageId: headMessageId,
    }))
    await ports.exchange.keepRefs(chat.chatId, remote.id, seen, { some: true })
  }
  return result
}
