import {
  BuiltUponError,
  type Change,
  movesAtOnce,
  NothingToUndoError,
  planRedo,
  planUndoAll,
  type StoredMove,
  type ThreadCommand,
} from '@/lib/context'
import type { ChatId, MoveKind, UserId } from '@/lib/events'
import { moveFacts, moveWords } from '@/lib/graph'
import type { Moved, MovedBack, MoveEntry } from '@/lib/protocol'
import { deltaOf } from '../delta-of'
import { InvalidRequestError } from '../errors'
import type { Ports } from '../ports'
import { anew, carryOut } from '../threads/planned-command'

interface InChat {
  ownerId: UserId
  chatId: ChatId
}

type Which = 'undo' | 'redo'

/** Selects the moves; without a key, the last move of any tab or command. */
interface Meant {
  /** only if this move is the last: a note must not undo another move */
  moveSeq?: number | undefined
  /** all moves after this event of the chat's log */
  to?: number | undefined
}

/**
 * Takes the last move of a chat back, of any tab or command, or with `to` several, all or none. Rejects with
 * `NothingToUndoError`, `BuiltUponError` or `NotFoundError`; then nothing is changed.
 */
export const undoMove = (ports: Ports, input: InChat & Meant): Promise<Moved & MovedBack> =>
  moveBack(ports, 'undo', input)

/** Makes the move again that was taken back last; rejects as `undoMove`. */
export const redoMove = (ports: Ports, input: InChat): Promise<Moved & MovedBack> =>
  moveBack(ports, 'redo', input)

const moveBack = (ports: Ports, which: Which, input: InChat & Meant): Promise<Moved & MovedBack> =>
  anew(async () => {
    const { change, last, count, branchId } = await planned(ports, which, input)
    const delta = deltaOf(change, await ports.store.commit(change))
    return { branchId, delta, entry: entryOf(last), moveSeq: last.moveSeq, count }
  })

/** Answer of the commands `undo` and `redo`. */
export interface UndoAnswer {
  chat_id: string
  /** the thread that the chat opens on */
  thread_id: string
  /** the kind of the last undone move */
  move: MoveKind
  /** number of undone moves */
  moves: number
  /** the undone or repeated moves, in words */
  says: string
  event_number?: number
}

/** `undoMove` or `redoMove` as a command; it rejects with `IdempotencyMismatchError` besides. */
export const moveBackOnce = (
  ports: Ports,
  which: Which,
  {
    ownerId,
    once,
    chatId,
    called,
    to,
  }: ThreadCommand & InChat & Pick<Meant, 'to'> & { /** the owner's id for the chat */ called: ChatId },
): Promise<UndoAnswer> =>
  carryOut(ports, { ownerId, once }, async () => {
    const { change, branchId, last, count } = await planned(ports, which, { ownerId, chatId, to })
    const says = count === 1 ? saidOf(last) : `${count} moves`
    return { change, answer: { chat_id: called, thread_id: branchId, move: last.move, moves: count, says } }
  })

async function planned(
  { store, clock, newId }: Ports,
  which: Which,
  { ownerId, chatId, moveSeq, to }: InChat & Meant,
) {
  const moves = await store.getMoves(chatId, { which, ownerId, after: to })
  const [first, last] = [moves[0], moves.at(-1)]
  if (!first || !last) throw new NothingToUndoError(which)
  if (moveSeq !== undefined && first.moveSeq !== moveSeq)
    throw new BuiltUponError('Nothing was undone: it is not the last move of the chat any more.')
  if (moves.length === movesAtOnce)
    throw new InvalidRequestError(
      `Go back in several steps: fewer than ${movesAtOnce} moves are undone at once.`,
      'too_many_moves',
    )
  const { steps, branchId } = which === 'undo' ? planUndoAll(moves, newId) : planRedo(first, newId)
  const change: Change = { chatId, ownerId, at: clock(), expectedSeq: first.seq, steps }
  return { change, branchId, last, count: moves.length }
}

/** A stored move as a line. Its messages are given by their places alone. */
function entryOf({ move, moveSeq, facts, lines }: StoredMove): MoveEntry {
  const branchId = lines[0]?.branchId
  return { seq: moveSeq, at: 0, kind: 'move', branchId, ...moveFacts(move, facts) }
}

/** A stored move in words, its branches by their names: a command is answered with them. */
const saidOf = (stored: StoredMove): string =>
  moveWords(entryOf(stored), { branch: (id) => stored.branches.find((branch) => branch.id === id)?.name })
