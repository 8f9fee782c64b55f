import {
  cloneChat,
  type Exchange,
  exchangeState,
  fetchChat,
  type Ports,
  pullChat,
  pushChat,
} from '@/lib/conversations'
import type { Exchanged, ExchangeVerb, RemoteState } from '@/lib/protocol'
import { RemoteError } from './remote-error'

type Wish = Exchange & { branch?: string | undefined }
type BranchStanding = Awaited<ReturnType<typeof exchangeState>>['branches'][number]
/** The outcome of an exchange, with the standings where it has read them. */
type Done = Pick<Exchanged, 'received' | 'moved' | 'diverged'> & { branches?: BranchStanding[] }

const nothing: Done = { received: 0, moved: [], diverged: [] }

const verbs: Readonly<Record<ExchangeVerb, (ports: Ports, wish: Wish) => Promise<Done>>> = {
  async fetch(ports, wish) {
    return { ...nothing, ...(await fetchChat(ports, wish)) }
  },
  async pull(ports, wish) {
    const { received, updated, diverged } = await pullChat(ports, wish)
    return {
      received,
      moved: updated.map(({ branch }) => branch),
      diverged: diverged.map(({ branch, sourceBranchId, sourceBranch, targetBranchId }) => ({
        name: branch,
        source_thread_id: sourceBranchId,
        source: sourceBranch,
        target_thread_id: targetBranchId,
      })),
    }
  },
  async push(ports, wish) {
    const result = await pushChat(ports, wish)
    if (result.outcome !== 'updated')
      throw new RemoteError(result.outcome === 'refused' ? 'remote_refused' : result.outcome, result.reason)
    return { ...nothing, moved: result.updated.map(({ branch }) => branch) }
  },
  async clone(ports, wish) {
    const { received } = await cloneChat(ports, wish)
    return { ...nothing, received }
  },
}

/** Exchanges a chat with a remote, and tells how its branches stand then. */
export async function exchangeWith(ports: Ports, verb: ExchangeVerb, wish: Wish): Promise<Exchanged> {
  const { branches, ...done } = await verbs[verb](ports, wish)
  const state = branches ? stateOf(wish, branches) : await stateWith(ports, wish)
  return { ...state, ...done, advice: adviceOn(verb, wish.remote.name, { ...state, ...done }) }
}

/** The standings of a chat's branches to a remote, as of the last exchange. */
export async function stateWith(
  ports: Ports,
  chat: Pick<Wish, 'ownerId' | 'chatId' | 'remote'>,
): Promise<RemoteState> {
  return stateOf(chat, (await exchangeState(ports, chat)).branches)
}

const stateOf = (
  { chatId, remote }: Pick<Wish, 'chatId' | 'remote'>,
  branches: readonly BranchStanding[],
): RemoteState => ({ chat_id: chatId, remote: remote.name, branches: branches.map(encoded) })

const states = {
  equal: 'equal',
  ahead: 'ahead',
  behind: 'behind',
  diverged: 'diverged',
  'only here': 'only_here',
  'only there': 'only_there',
} as const satisfies Record<BranchStanding['state'], RemoteState['branches'][number]['state']>

const encoded = ({ branch, state, ...standing }: BranchStanding): RemoteState['branches'][number] => ({
  name: branch,
  state: states[state],
  head_message_id: standing.headMessageId,
  remote_head_message_id: standing.remoteHeadMessageId,
  ahead: standing.ahead,
  behind: standing.behind,
})

function adviceOn(
  verb: ExchangeVerb,
  remote: string,
  { diverged, branches }: Pick<Exchanged, 'diverged' | 'branches'>,
): string | null {
  const [first] = diverged
  if (first)
    return `Both sides have gone on with ${namesOf(diverged)}. Merge ${first.source} into ${first.name}, then push.`
  const ahead = branches.filter(({ state }) => state === 'behind' || state === 'only_there')
  if (verb === 'push' && ahead.length > 0)
    return `${remote} has more on ${namesOf(ahead)}. Pull to have it here too.`
  return null
}

/** The first few of many names. */
function namesOf(named: readonly { name: string }[]): string {
  const names = named.map(({ name }) => name)
  if (names.length <= 3) return names.join(', ')
  return `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`
}
