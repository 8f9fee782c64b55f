import { NotFoundError } from '@/lib/context'
import type { ChatId, MessageId, UserId } from '@/lib/events'
import type { Ports } from '../ports'
import { outlined, type Place } from './coverage'
import type { ExchangedChat } from './exchange-port'
import type { RemoteServer } from './remote-server'

/** The ports that an exchange with another server uses. */
export type Uses = Pick<Ports, 'exchange' | 'files' | 'importing' | 'store' | 'reads' | 'clock' | 'newId'>

/** The chat that is exchanged, and the server that it is exchanged with. */
export interface Exchange {
  ownerId: UserId
  /** the owner's id for the chat, here and there */
  chatId: ChatId
  remote: { id: string; name: string }
  server: RemoteServer
}

/** The standing of a branch to the one of the same name on a remote. */
export interface BranchStanding {
  branch: string
  /** null when it is missing or empty */
  headMessageId: MessageId | null
  remoteHeadMessageId: MessageId | null
  /** messages that one side has and the other does not */
  ahead: number
  behind: number
  state: 'equal' | 'ahead' | 'behind' | 'diverged' | 'only here' | 'only there'
}

/**
 * The standing of each branch to the remote, as it was at the last exchange.
 *
 * @throws NotFoundError
 */
export async function exchangeState(
  { exchange }: Pick<Ports, 'exchange'>,
  {
    ownerId,
    chatId,
    remote,
  }: Pick<Exchange, 'ownerId' | 'chatId'> & { remote: Pick<Exchange['remote'], 'id'> },
): Promise<{ branches: BranchStanding[] }> {
  const chat = await exchange.standing(chatId, ownerId, remote.id)
  if (!chat) throw new NotFoundError('chat', chatId)
  return { branches: standingsOf(chat) }
}

/** The standings of a chat's branches; the chat was read with the refs of a remote. */
export function standingsOf(chat: ExchangedChat): BranchStanding[] {
  const { reach, missing, count } = outlined(chat, 'parents')
  const own = new Map(
    chat.branches.filter(({ isArchived }) => !isArchived).map((branch) => [branch.name, branch]),
  )
  const seen = new Map(chat.seen.filter(({ kind }) => kind === 'branch').map((ref) => [ref.name, ref]))
  return [...new Set([...own.keys(), ...seen.keys()])].map((branch) => {
    const [here, there] = [own.get(branch), seen.get(branch)]
    const [ours, theirs] = [reach(placeIn(here)), reach(placeIn(there))]
    const ahead = count(missing(ours, theirs))
    const behind = count(missing(theirs, ours))
    const state = !there
      ? 'only here'
      : !here
        ? 'only there'
        : ahead > 0
          ? behind > 0
            ? 'diverged'
            : 'ahead'
          : behind > 0
            ? 'behind'
            : 'equal'
    return {
      branch,
      headMessageId: here?.messageId ?? null,
      remoteHeadMessageId: there?.messageId ?? null,
      ahead,
      behind,
      state,
    }
  })
}

export const placeIn = (ref: Partial<Place> | undefined): Place[] =>
  ref?.lane == null || ref.depth == null ? [] : [{ lane: ref.lane, depth: ref.depth }]
