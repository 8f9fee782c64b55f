import { expect, it } from 'vitest'
import { comparable } from '@/components/inspector/comparable'
import { indexGraph } from '@/lib/graph'
import { branch, sketchGraph } from '@/testing/worlds/sketch-graph'

const sketched = sketchGraph('q1', 'q1>a1', 'a1>q2', 'q2>a2', 'a1>q3', 'q3>a3')
const index = indexGraph({ ...sketched, branches: [branch('main', 'a2'), branch('other', 'a3')] })
const ids = (replies: { id: string }[]) => replies.map(({ id }) => id)

it.each([
  ['a reply', 'a2', 'a1', ['a1']],
  ['the next reply', null, 'a2', ['a2', 'a1']],
  ['the first reply', 'a1', null, ['a2']],
])(
  'given %s, then its prompt is compared with the reply above it, those of its branch, and those elsewhere',
  (_, id, above, ofBranch) => {
    const { before, here, elsewhere } = comparable(index, id, 'main')
    expect([before?.id ?? before, ids(here), ids(elsewhere)]).toEqual([above, ofBranch, ['a3']])
  },
)
