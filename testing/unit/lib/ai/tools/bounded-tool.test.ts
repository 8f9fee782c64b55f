import { type Tool, tool } from 'ai'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { boundedTool } from '@/lib/ai/tools/bounded-tool'

const made = (execute: () => unknown): Tool =>
  tool({ inputSchema: z.object({}), execute: async () => execute() }) as Tool

const never = () => new Promise(() => undefined)
/** Calls a tool that does this, within its bounds. */
const call = (execute: () => unknown, ...[bounds]: [Parameters<typeof boundedTool>[1]?]) =>
  run(boundedTool(made(execute), bounds))
const run = (bounded: Tool, abortSignal?: AbortSignal) =>
  Promise.resolve(bounded.execute?.({}, { toolCallId: '1', messages: [], abortSignal, context: {} }))

test('given a tool that does not answer, then its call fails in words', async () => {
  await expect(call(never, { ms: 20 })).rejects.toThrow('The tool did not answer within a second.')
})

test('given a reply that is stopped, then its tool ends with it', async () => {
  const stop = new AbortController()
  const running = run(boundedTool(made(never)), stop.signal)
  stop.abort()
  await expect(running).rejects.toMatchObject({ name: 'AbortError' })
})

test('given a long answer, then its beginning is kept, and words say that it was cut', async () => {
  const cut = (answer: unknown) => call(() => answer, { most: 10 })
  expect(await cut('x'.repeat(50))).toBe(
    `${'x'.repeat(10)}\n\n[Cut here: the answer had 50 characters, of which the first 10 are kept.]`,
  )
  expect(await cut({ list: 'y'.repeat(50) })).toMatch(/^\{"list":"y/)
})

test('given a short answer, then it is left as it is', async () => {
  const answer = { a: [1, null] }
  expect(await call(() => answer)).toBe(answer)
})

test('given a tool that fails, then only its words are told', async () => {
  const failing = () => {
    throw new RangeError('No such city')
  }
  await expect(call(failing).catch(String)).resolves.toBe('No such city')
})

test('given what all tools of a reply may say together, then the last of them is cut to what is left', async () => {
  const room = { left: 15 }
  const said = () => call(() => 'x'.repeat(10), { most: 12, room })
  expect(await said()).toBe('x'.repeat(10))
  expect(await said()).toMatch(
    /^x{5}\n\n\[Cut here: the answer had 10 characters, of which the first 5 are kept/,
  )
  expect(await said()).toMatch(/^\n\n\[Cut here: .* first 0 are kept/)
})
