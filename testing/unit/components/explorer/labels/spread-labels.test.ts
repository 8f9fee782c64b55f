import fc from 'fast-check'
import { expect, test } from 'vitest'
import { spreadLabels } from '@/components/explorer/labels/spread-labels'

const label = (id: string, x: number, y: number) => ({ id, box: { x, y, width: 80, height: 20 } })

// [here   ]
//     [old   ]     [far   ]
test('of two labels that would cover each other the first one is shown', () => {
  const shown = spreadLabels([label('here', 0, 0), label('old', 40, 10), label('far', 130, 10)])
  expect([...shown]).toEqual(['here', 'far'])
})

test('no two of those shown overlap, and none is left out without a reason', () => {
  const at = fc.integer({ min: -200, max: 600 })
  fc.assert(
    fc.property(fc.array(fc.tuple(at, at), { maxLength: 60 }), (places) => {
      const labels = places.map(([x, y], n) => label(String(n), x, y))
      const shown = spreadLabels(labels)
      const collides = (a: (typeof labels)[number], b: (typeof labels)[number]) =>
        a !== b && Math.abs(a.box.x - b.box.x) < 80 && Math.abs(a.box.y - b.box.y) < 20
      for (const one of labels) {
        const hit = labels.some((other) => shown.has(other.id) && collides(one, other))
        expect(hit).toBe(!shown.has(one.id))
      }
    }),
  )
})
