import { expect, test } from 'vitest'
import { pairContexts, type ReadableContext } from '@/lib/graph/diff/pair-contexts'

const context = (over: Partial<ReadableContext> = {}): ReadableContext => ({
  fragments: [],
  memories: {},
  model: 'demo:demo',
  tools: {},
  settings: {},
  ...over,
})

test('given two contexts, when they are paired, then each part tells only what differs, by name', () => {
  const left = context({
    memories: { diet: 'Vegan', pace: 'Slow' },
    tools: { calculator: 'always', remember: 'ask' },
    settings: { temperature: '0.2' },
  })
  const right = context({
    memories: { pace: 'Slow', diet: 'Vegetarian', knee: 'Bad' },
    model: 'openai:gpt-5',
    tools: { calculator: 'ask', remember: 'ask' },
    settings: { format: 'markdown' },
  })

  expect(pairContexts(left, right)).toEqual({
    same: 0,
    differing: [],
    memories: [
      { name: 'diet', left: 'Vegan', right: 'Vegetarian' },
      { name: 'knee', left: null, right: 'Bad' },
    ],
    model: { left: 'demo:demo', right: 'openai:gpt-5' },
    tools: [{ name: 'calculator', left: 'always', right: 'ask' }],
    settings: [
      { name: 'format', left: null, right: 'markdown' },
      { name: 'temperature', left: '0.2', right: null },
    ],
  })
})

test('given the same context twice, then nothing differs', () => {
  const one = context({ memories: { diet: 'Vegan' } })
  expect(pairContexts(one, { ...one })).toEqual({
    same: 0,
    differing: [],
    memories: [],
    model: null,
    tools: [],
    settings: [],
  })
})
