import { type LoggedEvent, type MoveKind, recordedMessage } from '@/lib/events'
import type { MoveEntry } from '@/lib/protocol'

/** An event as the history of moves reads it. */
export type MarkedEvent = LoggedEvent & {
  /** who wrote it, unless the owner did */
  by?: string
  /** equal for all events of one transaction */
  tx: string
}

/**
 * A stretch of a chat's log as lines, the latest first. The events of one change are one line; messages that follow
 * each other on a branch are one line, too. Linear.
 *
 * @param events in order; the events of a move that is undone or made again in the stretch may stand before `floor`
 * @param floor the first position of the stretch
 */
export function moveEntries(events: readonly MarkedEvent[], floor = 1): MoveEntry[] {
  const entries: MoveEntry[] = []
  const places = new Map(events.map(({ seq }, place) => [seq, place]))
  const within = (first: number, last: number) =>
    events.slice(places.get(first) ?? places.get(last), places.get(last))

  for (const change of changesOf(events)) {
    const last = change.at(-1)
    if (!last || last.seq < floor) continue
    const marks = change.filter(isMark)
    for (const mark of marks) {
      if (mark.type !== 'MoveMade') {
        const made = events[places.get(mark.payload.move_seq) ?? -1]
        if (made?.type !== 'MoveMade') continue
        const what = moveFacts(made.payload.move, within(made.payload.first_seq, made.seq))
        const kind = mark.type === 'MoveUndone' ? 'undone' : 'redone'
        entries.push({ ...lineOf(mark), kind, moveSeq: made.seq, ...what })
        continue
      }
      const { move, first_seq: first } = mark.payload
      // a move that this one has made whole is a part of it
      while ((entries.at(-1)?.seq ?? 0) >= first) entries.pop()
      const facts = moveFacts(move, within(first, mark.seq))
      entries.push({ ...lineOf(mark), kind: 'move', moveSeq: mark.seq, ...facts })
    }
    if (marks.length === 0) addUnmarked(entries, change)
  }
  return entries.reverse()
}

/** Two pages of lines as one: turns that the end of a page has cut apart are one line again. */
export function joinPages(later: readonly MoveEntry[], earlier: readonly MoveEntry[]): MoveEntry[] {
  const [last, first] = [later.at(-1), earlier[0]]
  if (last?.kind !== 'turns' || first?.kind !== 'turns' || last.branchId !== first.branchId)
    return [...later, ...earlier]
  return [...later.slice(0, -1), together(first, last), ...earlier.slice(1)]
}

const together = (first: MoveEntry, last: MoveEntry): MoveEntry => ({
  ...last,
  questions: (first.questions ?? 0) + (last.questions ?? 0),
  replies: (first.replies ?? 0) + (last.replies ?? 0),
})

/** The facts of a move, from the events that it logged. */
export function moveFacts(move: MoveKind, facts: readonly LoggedEvent[]): Partial<MoveEntry> {
  const created = one(facts, 'ThreadCreated')
  const opened = created && {
    branchId: created.streamId,
    name: created.payload.name,
    ...(created.payload.head_message_id !== null && { messageId: created.payload.head_message_id }),
  }
  switch (move) {
    case 'merge': {
      const merged = one(facts, 'ThreadsMerged')
      if (!merged) return { move }
      const { source_thread_id: fromId, message_id: messageId } = merged.payload
      return { move, branchId: merged.streamId, fromId, messageId }
    }
    case 'compact': {
      const compacted = one(facts, 'ThreadCompacted')
      if (!compacted) return { move, ...opened }
      const { source_thread_id: fromId, message_id: messageId } = compacted.payload
      return { move, ...opened, branchId: compacted.streamId, fromId, messageId }
    }
    case 'pick': {
      const copies = facts.filter((event) => event.type === 'MessageCopied')
      const last = copies.at(-1)
      if (!last) return { move }
      return { move, branchId: last.streamId, messageId: last.payload.message_id, count: copies.length }
    }
    case 'keep': {
      const count = facts.filter(({ type }) => type === 'BranchArchived').length
      const kept = one(facts, 'BranchSwitched')?.payload.branch_id
      return { move, count, ...(kept !== undefined && { branchId: kept }) }
    }
    case 'branch': {
      const replay = one(facts, 'ReplayStarted')
      return { move, ...opened, ...(replay && { fromId: replay.payload.source_thread_id }) }
    }
    case 'receive': {
      const noted = one(facts, 'ObjectsReceived')
      if (noted) {
        const { messages: count, remote } = noted.payload
        return { move, branchId: undefined, count, name: remote ?? undefined }
      }
      // a pull moves branches to messages that an earlier change has received
      const moved = new Set(
        facts.flatMap(({ type, streamId }) =>
          type === 'HeadMoved' || type === 'ThreadCreated' ? [streamId] : [],
        ),
      )
      return { move, branchId: [...moved][0], count: moved.size }
    }
    case 'leave-out':
    case 'put-back': {
      const changed = one(facts, 'ContextChanged')
      return changed ? { move, branchId: changed.streamId } : { move }
    }
    default:
      return { move, ...facts.map(factOf).findLast((fact) => fact?.move === move) }
  }
}

/** The facts of a single event about a branch or a checkpoint. */
function factOf({
  type,
  payload,
  streamId,
}: LoggedEvent): (Partial<MoveEntry> & { move: MoveKind }) | undefined {
  switch (type) {
    case 'ThreadCreated':
      return {
        move: 'branch',
        branchId: streamId,
        name: payload.name,
        ...(payload.head_message_id !== null && { messageId: payload.head_message_id }),
      }
    case 'BranchSwitched':
      return { move: 'switch', branchId: payload.branch_id }
    case 'BranchRenamed':
      return {
        move: 'rename',
        branchId: payload.branch_id,
        name: payload.name,
        before: payload.previous_name,
      }
    case 'BranchArchived':
      return { move: 'archive', branchId: payload.branch_id }
    case 'BranchRestored':
      return { move: 'unarchive', branchId: payload.branch_id }
    case 'AgentSteered': {
      const { branch_id: fromId, to_branch_id: branchId } = payload
      return { move: 'steer', fromId, ...(branchId !== null && { branchId }) }
    }
    case 'CheckpointSaved':
      return { move: 'checkpoint', name: payload.name, messageId: payload.message_id }
    case 'CheckpointMoved':
      return { move: 'checkpoint', name: payload.name, messageId: payload.message_id, moved: true }
    case 'CheckpointRemoved':
      return { move: 'remove-checkpoint', name: payload.name, messageId: payload.message_id }
    case 'ContextChanged':
      return { move: 'context', branchId: streamId }
    default:
      return undefined
  }
}

/** Adds the line of a turn, or of a move in a log without marks. */
function addUnmarked(entries: MoveEntry[], change: readonly MarkedEvent[]): void {
  const received = one(change, 'ObjectsReceived')
  if (received) {
    entries.push({ ...lineOf(received), kind: 'move', ...moveFacts('receive', change) })
    return
  }
  let opened: string | undefined
  for (const event of change) {
    const messageId = recordedMessage(event)
    if (messageId !== undefined) {
      const isReply = event.type === 'LLMResponseGenerated'
      const turn: MoveEntry = {
        ...lineOf(event),
        kind: 'turns',
        branchId: event.streamId,
        messageId,
        questions: isReply ? 0 : 1,
        replies: isReply ? 1 : 0,
      }
      const before = entries.at(-1)
      const continues = before?.kind === 'turns' && before.branchId === event.streamId
      if (continues) entries[entries.length - 1] = together(before, turn)
      else entries.push(turn)
      continue
    }
    const fact = factOf(event)
    // a reply may change its branch's context, which is no move; a branch that opens is switched to in the same breath
    if (!fact || fact.move === 'context' || (fact.move === 'switch' && fact.branchId === opened)) continue
    if (fact.move === 'branch') opened = fact.branchId
    entries.push({ ...lineOf(event), kind: 'move', ...fact })
  }
}

const lineOf = ({ seq, createdAt: at, by }: MarkedEvent) => ({ seq, at, ...(by !== undefined && { by }) })

const isMark = (
  event: MarkedEvent,
): event is Extract<MarkedEvent, { type: 'MoveMade' | 'MoveUndone' | 'MoveRedone' }> =>
  event.type === 'MoveMade' || event.type === 'MoveUndone' || event.type === 'MoveRedone'

const one = <T extends LoggedEvent['type'], E extends LoggedEvent>(facts: readonly E[], type: T) =>
  facts.find((event): event is E & LoggedEvent<T> => event.type === type)

/** The events of each transaction, in order: the writes of a chat follow each other. */
function changesOf(events: readonly MarkedEvent[]): MarkedEvent[][] {
  const changes: MarkedEvent[][] = []
  for (const event of events) {
    const change = changes.at(-1)
    if (change?.[0]?.tx === event.tx) change.push(event)
    else changes.push([event])
  }
  return changes
}
