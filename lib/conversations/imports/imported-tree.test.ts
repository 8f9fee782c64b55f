import { expect, test } from 'vitest'
import { foreignChat, foreignMessage } from '@/testing/worlds/foreign-export'
import { importedTree } from './imported-tree'

const treeOf = (messages: Parameters<typeof foreignMessage>[]) =>
  importedTree(foreignChat('c', { messages: messages.map((given) => foreignMessage(...given)) }), {
    chatId: 'c',
    named: undefined,
    defaultModel: 'demo:demo',
    at: 0,
    keepFile: async () => ({ part: {} }),
    stored: new Map(),
  })

test('given instructions on instructions, each with a question below, then their contexts stay small and the rest are messages', async () => {
  // each context holds all instructions above it: of 6,000 they would be 18 million texts
  const comb = Array.from({ length: 6000 }, (_, at): Parameters<typeof foreignMessage>[] => [
    [`s${at}`, at === 0 ? null : `s${at - 1}`],
    [`q${at}`, `s${at}`],
  ]).flat()
  const { messages, contexts, instructions } = await treeOf(comb)
  expect(contexts.reduce((sum, { fragments }) => sum + (fragments as unknown[]).length, 0)).toBeLessThan(
    50_000,
  )
  expect(messages.length + instructions).toBe(12_000)
})

test('given many questions below the same instructions, then these are one context', async () => {
  const questions = Array.from(
    { length: 1000 },
    (_, at): Parameters<typeof foreignMessage> => [`q${at}`, 's'],
  )
  const { messages, contexts } = await treeOf([['s', null], ...questions])
  expect([messages.length, contexts.length]).toEqual([1000, 1])
})

test('given a long conversation, then other work has its turn meanwhile', async () => {
  let turns = 0
  const count = () => {
    turns += 1
    timer = setImmediate(count)
  }
  let timer = setImmediate(count)
  await treeOf(Array.from({ length: 20_000 }, (_, at) => [`q${at}`, at === 0 ? null : `q${at - 1}`]))
  clearImmediate(timer)
  expect(turns).toBeGreaterThan(30)
})
