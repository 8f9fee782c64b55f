import { inspect } from 'node:util'
import { DrizzleQueryError } from 'drizzle-orm/errors'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { NotFoundError } from '@/lib/context'
import { forPage } from '@/lib/server/pages/for-page'

let written = ''
beforeEach(() => {
  written = ''
  vi.spyOn(console, 'error').mockImplementation((line: string) => {
    written += line
  })
})
afterEach(() => vi.restoreAllMocks())

it('given a statement that fails, then neither the log nor what the framework is given to write holds its values', async () => {
  const cause = Object.assign(new Error('connection lost'), { query: 'select $1', params: ['my secret'] })
  const error = new DrizzleQueryError('select $1', ['my secret'], cause)
  const thrown = await forPage(Promise.reject(error)).catch((given: unknown) => given)
  expect(written).toContain('connection lost')
  expect(written).not.toContain('my secret')
  expect(inspect(thrown, { depth: 9 })).not.toContain('my secret')
})

it('given one reading that two parts of a page share, when it fails, then the log has it once', async () => {
  const reading = forPage(Promise.reject(new Error('connection lost')))
  await Promise.allSettled([forPage(reading), forPage(reading)])
  expect(written.match(/connection lost/g)).toHaveLength(1)
})

it('given a chat that is not there, then the page learns that, and nothing is logged', async () => {
  await expect(forPage(Promise.reject(new NotFoundError('chat', 'trip')))).rejects.toThrow(NotFoundError)
  expect(written).toBe('')
})
