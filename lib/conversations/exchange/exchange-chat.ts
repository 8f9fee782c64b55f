import { asReceived, NotFoundError, planReceive, type ReceivingBranch, type Step } from '@/lib/context'
import type { BranchId, ChatId, MessageId, UserId } from '@/lib/events'
import type { Ports } from '../ports'
import { newChat } from './answer-exchange'
import { isReached, outlined, type Place } from './coverage'
import { ClonedAlreadyError, NotFastForwardError, OtherOriginError } from './errors'
import type { ExchangedChat, OwnBranch, SeenRef } from './exchange-port'
import { isEnd } from './pack-lines'
import { readPack } from './read-pack'
import { broughtBy, writeBrought } from './receive'
import type { ChatRefs, PushResult, RefUpdate, RemoteServer } from './remote-server'
import { packLines } from './write-pack'

type Uses = Pick<Ports, 'exchange' | 'files' | 'importing' | 'store' | 'reads' | 'clock' | 'newId'>

/** The chat that is exchanged, and the server that it is exchanged with. */
export interface Exchange {
  ownerId: UserId
  /** the owner's id for the chat, here and there */
  chatId: ChatId
  remote: { id: string; name: string }
  server: RemoteServer
}

/** How a branch stands to the one of the same name on a remote. */
export interface BranchStanding {
  branch: string
  /** null where it is not there, or is empty */
  headMessageId: MessageId | null
  remoteHeadMessageId: MessageId | null
  /** messages that one side has and the other does not */
  ahead: number
  behind: number
  state: 'equal' | 'ahead' | 'behind' | 'diverged' | 'only here' | 'only there'
}

/** Heads that the other side is told at most; it sends what it cannot see from them. */
const MOST_HEADS = 1000
/** Times that a pack is asked for again behind its last whole line. */
const RESUMES = 5

/**
 * How each branch stands to the remote, as it was at the last exchange.
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

function standingsOf(chat: ExchangedChat): BranchStanding[] {
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

const placeIn = (ref: Partial<Place> | undefined): Place[] =>
  ref?.lane == null || ref.depth == null ? [] : [{ lane: ref.lane, depth: ref.depth }]

/**
 * Brings what the remote has and this server does not. No branch of one's own moves: messages that are new are recorded on archived
 * branches called `remote/branch`.
 *
 * @throws NotFoundError, OtherOriginError, PackRefusedError, DivergedObjectsError, and what the server throws
 */
export async function fetchChat(
  ports: Uses,
  { ownerId, chatId, remote, server }: Exchange,
): Promise<{ received: number; branches: BranchStanding[] }> {
  const [chat, refs] = await Promise.all([
    ports.exchange.standing(chatId, ownerId, remote.id),
    server.refs(chatId),
  ])
  if (!chat || !refs) throw new NotFoundError('chat', chatId)
  if (refs.origin !== chat.origin) throw new OtherOriginError()
  const heads = headsOf(refs)
  const known = await ports.exchange.places(chat.chatId, heads)
  const want = heads.filter((id) => !known.has(id))
  let received = 0
  if (want.length > 0) {
    const have = ownHeads(chat, refs)
    const lines = wholePack((after) => server.fetch(chatId, { want, have, after }))
    const pack = await readPack(ports, lines, { ownerId, chatId, origin: chat.origin })
    const brought = await broughtBy(ports, pack, { ownerId, chat, heads: [] })
    const isNew = new Set(brought.messages.map(({ message }) => message.id))
    const branches = refs.branches.flatMap(({ name, headMessageId: to }) => {
      if (to === null || !isNew.has(to)) return []
      return [
        trackingBranch(
          chat,
          { name: trackingName(remote, name), to, contextId: brought.contextAt(to) },
          ports.newId,
        ),
      ]
    })
    received = brought.messages.length
    const steps = planReceive({ messages: brought.messages, branches, newId: ports.newId })
    const note = { kind: 'note-received', remote: remote.name, messages: received } as const
    if (received > 0)
      await writeBrought(ports, { ownerId, called: chatId, chat, pack, brought, steps: [...steps, note] })
  }
  await ports.exchange.keepRefs(chat.chatId, remote.id, seenIn(refs))
  return { received, ...(await exchangeState(ports, { ownerId, chatId, remote })) }
}

/** The branch that keeps what a branch of a remote has. */
export const trackingName = ({ name }: Pick<Exchange['remote'], 'name'>, branch: string): string =>
  [...`${name}/${branch}`].slice(0, 200).join('')

function trackingBranch(
  chat: ExchangedChat,
  { name, to, contextId }: { name: string; to: MessageId; contextId: string | undefined },
  newId: () => string,
): ReceivingBranch {
  const known = chat.branches.find((branch) => branch.name === name)
  return known
    ? { branchId: known.id, name, from: known.messageId, to }
    : {
        branchId: newId(),
        name,
        from: undefined,
        to,
        archived: true,
        ...(contextId !== undefined && { contextId }),
      }
}

const headsOf = ({ branches, checkpoints }: ChatRefs): MessageId[] => [
  ...new Set([
    ...branches.flatMap(({ headMessageId }) => headMessageId ?? []),
    ...checkpoints.map(({ messageId }) => messageId),
  ]),
]

/** The heads that tell most come first: those that the remote had, and of branches that it has. */
function ownHeads(chat: ExchangedChat, refs: ChatRefs): MessageId[] {
  const there = new Set(refs.branches.map(({ name }) => name))
  const [both, others] = [true, false].map((isThere) =>
    chat.branches.flatMap(({ name, messageId }) => (there.has(name) === isThere ? (messageId ?? []) : [])),
  )
  const seen = chat.seen.flatMap(({ messageId }) => messageId ?? [])
  return [...new Set([...seen, ...(both ?? []), ...(others ?? [])])].slice(0, MOST_HEADS)
}

const seenIn = ({ branches, checkpoints }: ChatRefs): SeenRef[] => [
  ...branches.map(({ name, headMessageId }) => ({ kind: 'branch' as const, name, messageId: headMessageId })),
  ...checkpoints.map(({ name, messageId }) => ({ kind: 'checkpoint' as const, name, messageId })),
]

/** A pack to its end: one that is cut off is asked for again behind its last whole line. */
async function* wholePack(begin: (after: number) => AsyncIterable<string>): AsyncGenerator<string> {
  let lines = 0
  for (let resumes = 0; ; resumes += 1) {
    try {
      for await (const line of begin(lines)) {
        lines += 1
        yield line
        if (isEnd(line)) return
      }
    } catch (error) {
      if (resumes === RESUMES) throw error
      continue
    }
    if (resumes === RESUMES) return
  }
}

/** What a pull did, or left to a merge. */
export interface Pulled {
  received: number
  /** branches that were moved on, or opened */
  updated: { branch: string; headMessageId: MessageId }[]
  /** branches that both sides have gone on with: `sourceBranchId` is the other side, for a merge into `targetBranchId` */
  diverged: (BranchStanding & { targetBranchId: BranchId; sourceBranchId: BranchId; sourceBranch: string })[]
}

/**
 * Fetches, and moves one's own branches on to where they stand on the remote; those that are missing are opened. A branch that both
 * sides have gone on with stays: it is for a merge.
 *
 * @param exchange.branch the one branch to pull; all unless given
 */
export async function pullChat(
  ports: Uses,
  exchange: Exchange & { branch?: string | undefined },
): Promise<Pulled> {
  const { ownerId, chatId, remote, branch: only } = exchange
  const { received } = await fetchChat(ports, exchange)
  const chat = await ports.exchange.standing(chatId, ownerId, remote.id)
  if (!chat) throw new NotFoundError('chat', chatId)
  const standings = standingsOf(chat).filter(({ branch }) => only === undefined || branch === only)
  if (only !== undefined && standings.length === 0) throw new NotFoundError('branch', only)
  const steps: Step[] = []
  const updated: Pulled['updated'] = []
  const diverged: Pulled['diverged'] = []
  const named = new Map(chat.branches.map((branch) => [branch.name, branch]))
  for (const standing of standings) {
    const { branch, state, remoteHeadMessageId: to } = standing
    const own = named.get(branch)
    if (to === null || (state === 'only there' && own?.isArchived)) continue
    if (state === 'behind' || state === 'only there') {
      const target = {
        branchId: own?.id ?? ports.newId(),
        name: branch,
        from: own ? own.messageId : undefined,
        to,
      }
      steps.push(...planReceive({ messages: [], branches: [target], newId: ports.newId }))
      updated.push({ branch, headMessageId: to })
    } else if (state === 'diverged' && own) {
      const source = sourceOf(named, { name: trackingName(remote, branch), to }, ports.newId)
      steps.push(...source.steps)
      diverged.push({
        ...standing,
        targetBranchId: own.id,
        sourceBranchId: source.id,
        sourceBranch: source.name,
      })
    }
  }
  const isMoved = updated.length > 0
  if (steps.length > 0)
    await writeBrought(ports, {
      ownerId,
      called: chatId,
      chat,
      pack: undefined,
      brought: undefined,
      steps: isMoved ? asReceived(steps) : steps,
    })
  return { received, updated, diverged }
}

/** The branch that a merge takes the other side from: the one that was recorded from the remote, or one that is opened there. */
function sourceOf(
  named: ReadonlyMap<string, OwnBranch>,
  { name, to }: { name: string; to: MessageId },
  newId: () => string,
): { id: BranchId; name: string; steps: Step[] } {
  const known = named.get(name)
  if (known?.messageId === to) return { id: known.id, name, steps: [] }
  const other = [...named.values()].find(({ messageId }) => messageId === to)
  if (other) return { id: other.id, name: other.name, steps: [] }
  const target = known
    ? { branchId: known.id, name, from: known.messageId, to }
    : { branchId: newId(), name, from: undefined, to, archived: true }
  return { id: target.branchId, name, steps: planReceive({ messages: [], branches: [target], newId }) }
}

/**
 * Makes a chat of one on the remote: all its branches and checkpoints, under the same id and of the same origin.
 *
 * @throws ClonedAlreadyError where the owner has a chat of this id
 */
export async function cloneChat(
  ports: Uses,
  { ownerId, chatId, remote, server }: Exchange,
): Promise<{ chatId: ChatId; received: number }> {
  if (await ports.exchange.standing(chatId, ownerId)) throw new ClonedAlreadyError()
  const refs = await server.refs(chatId)
  if (!refs) throw new NotFoundError('chat', chatId)
  const want = headsOf(refs)
  const lines = wholePack((after) => server.fetch(chatId, { want, have: [], after }))
  const pack = await readPack(ports, lines, { ownerId, chatId, origin: refs.origin })
  const brought = await broughtBy(ports, pack, { ownerId, chat: undefined, heads: [] })
  const main = refs.branches.find(({ name }) => name === 'main') ?? refs.branches[0]
  const first: ReceivingBranch = {
    branchId: ports.newId(),
    name: main?.name ?? 'main',
    from: null,
    to: main?.headMessageId ?? null,
    contextId: main?.headMessageId ? brought.contextAt(main.headMessageId) : undefined,
  }
  const others = refs.branches.filter((branch) => branch !== main)
  const branches = [
    first,
    ...others.map(({ name, headMessageId: to }) => ({
      branchId: ports.newId(),
      name,
      from: undefined,
      to,
      contextId: to === null ? undefined : brought.contextAt(to),
    })),
  ]
  const checkpoints = refs.checkpoints.map(
    ({ name, messageId }): Step => ({
      kind: 'save-checkpoint',
      checkpointId: ports.newId(),
      name,
      messageId,
    }),
  )
  const received = brought.messages.length
  const { chatId: key } = await writeBrought(ports, {
    ownerId,
    called: chatId,
    chat: undefined,
    pack,
    brought,
    steps: [
      ...planReceive({ messages: brought.messages, branches, newId: ports.newId }),
      ...checkpoints,
      { kind: 'note-received', remote: remote.name, messages: received },
    ],
    create: newChat(first, pack),
  })
  await ports.exchange.keepRefs(key, remote.id, seenIn(refs))
  return { chatId, received }
}

/**
 * Sends what the remote does not have, and has it move its branches on. Branches that are archived or empty stay here.
 *
 * @param exchange.branch the one branch to push; all unless given
 * @returns the answer of the remote; nothing is updated where it has everything
 * @throws NotFastForwardError for a branch that the remote has gone on with
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
