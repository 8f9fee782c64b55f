import { expect, it } from 'vitest'
import { byDay, isWayBack, withStanding } from '@/components/history/standing'
import { joinPages } from '@/lib/graph/history/move-entries'
import { moveWords } from '@/lib/graph/history/move-words'
import type { MoveEntry } from '@/lib/protocol'

const at = Date.UTC(2026, 2, 14, 12)
const entry = (seq: number, over: Partial<MoveEntry> = {}): MoveEntry => ({ seq, at, kind: 'move', ...over })
const move = (seq: number) => entry(seq, { move: 'rename', moveSeq: seq })
const back = (seq: number, kind: 'undone' | 'redone', moveSeq: number) =>
  entry(seq, { kind, move: 'rename', moveSeq })

it('given moves that were undone and made again, then the latest word on each counts, and Undo goes back to what is in force', () => {
  const turns = entry(3, { kind: 'turns', questions: 1, replies: 1 })
  const lines = withStanding([
    ...[back(9, 'undone', 5), back(8, 'redone', 5), back(7, 'undone', 5), back(6, 'undone', 4)],
    ...[move(5), move(4), turns, move(2), entry(1, { move: 'branch' })],
  ])
  expect(lines.filter(({ isUndone }) => isUndone).map(({ entry: { seq } }) => seq)).toEqual([5, 4])
  expect(lines.filter(isWayBack).map(({ entry: { seq } }) => seq)).toEqual([1])
  // and to turns that a move in force came after
  expect(withStanding([move(5), turns]).map(isWayBack)).toEqual([false, true])
})

it('given lines of two days, then each day has its own, in their order', () => {
  const days = byDay(withStanding([move(3), move(2), { ...move(1), at: at - 24 * 3_600_000 }]))
  expect(days.map(({ lines }) => lines.map(({ entry: { seq } }) => seq))).toEqual([[3, 2], [1]])
})

it('given turns that the end of a page has cut apart, then they are one line again', () => {
  const turns = (seq: number, questions: number, replies: number, branchId = 'main') =>
    entry(seq, { kind: 'turns', branchId, questions, replies })
  const joined = joinPages([move(9), turns(8, 1, 2)], [turns(5, 2, 1), move(1)])
  expect(joined.map(({ seq }) => seq)).toEqual([9, 8, 1])
  expect(joined[1]).toMatchObject({ questions: 3, replies: 3 })
  expect(joinPages([turns(8, 1, 1)], [turns(5, 1, 1, 'side')])).toHaveLength(2)
})

it('given a line of each kind, then it reads as a person would say it', () => {
  const names = {
    branch: (id: string) => ({ m: 'main', p: 'porto' })[id],
    quote: () => 'How about the train?',
  }
  const say = (over: Partial<MoveEntry>) => moveWords(entry(1, over), names)
  expect([
    say({ move: 'branch', branchId: 'p', name: 'main-v2', messageId: 'q' }),
    say({ move: 'branch', branchId: 'm', name: 'main' }),
    say({ move: 'branch', branchId: 'p', name: 'main-v3', messageId: 'q', fromId: 'm' }),
    say({ move: 'switch', branchId: 'p' }),
    say({ move: 'rename', branchId: 'p', name: 'porto', before: 'main-v2' }),
    say({ move: 'archive', branchId: 'gone' }),
    say({ move: 'checkpoint', name: 'good', messageId: 'q' }),
    say({ move: 'checkpoint', name: 'good', messageId: 'q', moved: true }),
    say({ move: 'pick', branchId: 'm', count: 3 }),
    say({ move: 'merge', branchId: 'm', fromId: 'p' }),
    say({ move: 'keep', branchId: 'p', count: 1 }),
    say({ move: 'keep', count: 2 }),
    say({ kind: 'undone', move: 'archive', branchId: 'p' }),
    say({ kind: 'turns', branchId: 'm', questions: 4, replies: 3 }),
  ]).toEqual([
    'opened main-v2 at “How about the train?”',
    'began on main',
    'replayed main on main-v3',
    'switched to porto',
    'renamed main-v2 to porto',
    'archived a branch',
    'saved checkpoint “good” at “How about the train?”',
    'moved checkpoint “good” to “How about the train?”',
    'picked 3 messages onto main',
    'merged porto into main',
    'kept porto, and archived 1 other',
    'kept one of them, and archived 2 others',
    'undid: archived porto',
    '4 turns on main',
  ])
})
