import { expect, it } from 'vitest'
import { type Drawn, drawLanes, newestFirst } from '@/lib/cli/draw/draw-lanes'
import { dice } from '@/testing/worlds/dice'

/** Messages in the order they were written, each as `child: parent, merged`. */
const conversation = (...lines: string[]): Drawn[] =>
  lines.map((line, at) => {
    const [id = '', parents = ''] = line.split(/:\s*/)
    return { id, createdAt: at, parents: parents.split(/,\s*/).filter(Boolean) }
  })

/** The picture as it is printed, a message by its id. */
const picture = (messages: readonly Drawn[]): string[] =>
  drawLanes(newestFirst(messages)).flatMap(({ before, row, message }) => [...before, `${row} ${message.id}`])

it.each([
  ['a single line, then it stands in one lane, newest first', 'a: | b: a | c: b', ['* c', '* b', '* a']],
  [
    'a branch, then its lane ends where it left the other',
    'a: | b: a | c: b | x: a | y: x',
    ['* y', '* x', '| * c', '| * b', '|/', '* a'],
  ],
  [
    'three branches of one message, then each joins by a line of its own',
    'a: | b: a | c: a | d: a',
    ['* d', '| * c', '|/', '| * b', '|/', '* a'],
  ],
  [
    'a merge, then the merged line opens beside it',
    'a: | b: a | x: a | m: b, x | n: m',
    ['* n', '* m', '|\\', '| * x', '* | b', '|/', '* a'],
  ],
  [
    'lines that cross others, then the picture leads along the bottom of the lanes between',
    'a: | b: a | p: b | q: b | z: a',
    ['* z', '| * q', '| | * p', '| |/', '| * b', '|/', '* a'],
  ],
  [
    'a conversation that begins twice, then the second root has a lane of its own',
    'a: | r: | s: r | b: a',
    ['* b', '* a', '* s', '* r'],
  ],
])('given %s', (_, messages, lines) => {
  expect(picture(conversation(...messages.split(' | ')))).toEqual(lines)
})

it.each(Array.from({ length: 30 }, (_, seed) => seed))(
  'given a random conversation (seed %i), then each message comes once, after all that follow it, and no lane is lost',
  (seed) => {
    const random = dice(seed)
    const messages: Drawn[] = []
    for (let at = 0; at < 60; at += 1) {
      const above = messages[random.roll(Math.max(1, messages.length))]
      const merged = random.roll(6) === 0 ? messages[random.roll(Math.max(1, messages.length))] : undefined
      const parents = [above, merged].flatMap((message) => (message ? [message.id] : []))
      messages.push({ id: `m${at}`, createdAt: at, parents: [...new Set(parents)] })
    }
    const rows = drawLanes(newestFirst(messages))
    const place = new Map(rows.map(({ message }, at) => [message.id, at]))
    expect(place.size).toBe(60)
    for (const { id, parents } of messages) {
      for (const parent of parents) expect(place.get(parent)).toBeGreaterThan(place.get(id) ?? 0)
    }
    for (const { row, before } of rows) {
      expect(row.match(/\*/g)).toHaveLength(1)
      expect(row).toMatch(/^[*|](?: [*|])*$/)
      for (const line of before) expect(line).toMatch(/^[|/\\_ ]+$/)
    }
    // a lane is open as long as it leads somewhere: at the end only the last root's
    expect(rows.at(-1)?.row.replaceAll('|', '').trim()).toBe('*')
  },
)
