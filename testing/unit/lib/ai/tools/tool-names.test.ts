import { expect, test } from 'vitest'
import { toolNameOf } from '@/lib/ai/tools/tool-names'

test.each([
  ['github', 'create_issue', 'github__create_issue'],
  ['my-server', 'a-b', 'my-server__a-b'],
])('given a name that providers take, then it is kept: %s %s', (server, tool, name) => {
  expect(toolNameOf(server, tool)).toBe(name)
})

test('given names that differ only in what providers refuse, or in their end, then they stay apart and fit', () => {
  const names = ['a.b', 'a/b', 'a_b', 'ä b', 'x'.repeat(100), `${'x'.repeat(100)}y`].map((tool) =>
    toolNameOf('server', tool),
  )
  expect(new Set(names).size).toBe(names.length)
  for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
  expect(toolNameOf('server', 'a.b')).toBe(toolNameOf('server', 'a.b'))
})
