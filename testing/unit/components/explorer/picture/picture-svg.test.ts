import { expect, test } from 'vitest'
import { graphModel } from '@/components/explorer/model/graph-model'
import { colorNames, type PictureColors, pictureSvg } from '@/components/explorer/picture/picture-svg'
import { captionOf, fileName, scaleFor } from '@/components/explorer/picture/save-picture'
import { indexGraph } from '@/lib/graph'
import { branch, messagesFrom, sketchGraph } from '@/testing/worlds/sketch-graph'

const colors = Object.fromEntries(colorNames.map((name) => [name, '#123456'])) as PictureColors
const hostile = `</svg><script>alert("1")</script> & \u0000\ud800`

// a ─ b ─ d    main, read
//  └─ c        named like markup, with a checkpoint
const sketch = sketchGraph('a', 'a>b', 'a>c', 'b>d')
const graph = {
  ...sketch,
  nodes: sketch.nodes.map((node) => ({ ...node, preview: node.id === 'b' ? hostile : `This is ${node.id}` })),
  branches: [branch('main', 'd'), branch('<b>', 'c')],
  checkpoints: [{ id: 'k', name: 'good', messageId: 'c', createdAt: 0 }],
}

const picture = (model = graphModel(indexGraph(graph), { branchId: 'main' })) =>
  pictureSvg({
    model,
    colors,
    title: hostile,
    said: 'today',
    measure: (text, fontSize) => [...text].length * fontSize * 0.5,
  })

const count = (svg: string, pattern: RegExp): number => svg.match(pattern)?.length ?? 0

test('every message, line and name is in it once', () => {
  const { svg } = picture()
  for (const id of ['a', 'c', 'd']) expect(count(svg, new RegExp(`This is ${id}<`, 'g'))).toBe(1)
  // the line being read, the other, and the way down to it
  expect(count(svg, /<path /g)).toBe(3)
  expect(count(svg, />● here</g)).toBe(1)
  expect(count(svg, />&lt;b&gt;</g)).toBe(1)
  expect(count(svg, />⚑ good</g)).toBe(1)
  // the key has the signs that are in the picture
  for (const words of ['You', 'Assistant', 'Where you are'])
    expect(count(svg, new RegExp(`>${words}<`, 'g'))).toBe(1)
  expect(svg).not.toContain('Merged from another branch')
})

test('no text is taken for markup, and all that is opened is closed', () => {
  const { svg } = picture()
  expect(svg).not.toContain('<script')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
  expect(svg).not.toMatch(/[\u0000\ud800]/)
  const open: string[] = []
  for (const [, slash, name, attributes = ''] of svg.matchAll(/<(\/?)(\w+)([^>]*)>/g)) {
    if (slash) expect(open.pop()).toBe(name)
    else if (!attributes.endsWith('/')) open.push(name ?? '')
    expect(attributes.replace(/ ?[\w-]+="[^"<]*"/g, '')).toMatch(/^[ /]*$/)
  }
  expect(open).toEqual([])
})

test('of many branches every title is whole, and so is the head', () => {
  const forks = Array.from({ length: 30 }, (_, at) => `m${at}>f${at}`)
  const line = messagesFrom(Array.from({ length: 40 }, (_, at) => Math.max(0, at - 1)))
  const branches = forks.map((_, at) => branch(`try number ${at} of the thirty`, `f${at}`))
  const model = graphModel(
    indexGraph({ ...sketchGraph(...line, ...forks), branches: [branch('main', 'm39'), ...branches] }),
    {
      branchId: 'main',
    },
  )
  const { svg, size } = picture(model)
  for (const { name } of branches) expect(svg).toContain(`>${name}<`)
  expect(count(svg, />● here</g)).toBe(1)
  expect(size.width).toBeLessThan(2000)
})

test('what is folded is a part of its line that says how many', () => {
  const long = sketchGraph(...messagesFrom(Array.from({ length: 300 }, (_, at) => Math.max(0, at - 1))))
  const model = graphModel(indexGraph({ ...long, branches: [branch('main', 'm299')] }), { branchId: 'main' })
  const { svg, size } = picture(model)
  expect(count(svg, />\d+ messages</g)).toBe(1)
  expect(size.height).toBeLessThan(600)
})

test('a picture of the past says of what time it is, not when it was saved', () => {
  const [then, now] = [Date.UTC(2024, 1, 3), Date.UTC(2026, 5, 7)]
  expect(captionOf(null, now)).toContain('2026')
  expect(captionOf(then, now)).toMatch(/^As it was .*2024/)
  expect(captionOf(then, now)).not.toContain('2026')
})

test('a picture is drawn twice as large, as long as a browser can', () => {
  expect(scaleFor({ width: 500, height: 900 })).toBe(2)
  const tall = { width: 500, height: 620_000 }
  expect(tall.height * scaleFor(tall)).toBeLessThanOrEqual(16_384)
  const large = { width: 16_000, height: 16_000 }
  expect((large.width * scaleFor(large)) ** 2).toBeLessThanOrEqual(100_000_001)
})

test.each([
  ['Three days in Lisbon', 'Three-days-in-Lisbon'],
  ['../../etc/passwd\u0000', 'etc-passwd'],
  ['道 & 路?', '道-路'],
  ['???', 'chat'],
])('a chat called %j is saved as %j', (title, name) => expect(fileName(title)).toBe(name))
