import { expect, test } from 'vitest'
import { previewForm } from './import-part'

const MB = 1024 * 1024
const sent = async (file: Blob, from?: number) => {
  const form = await previewForm(file, 'a', from)
  const [size, begin, length] = ['size', 'from', 'length'].map((field) => form.get(field))
  return { size, begin, length, bytes: form.get('file') as File }
}
/** A file whose bytes say their place: each megabyte is one letter. */
const large = (start: string, megabytes: number) =>
  new Blob([start, ...Array.from({ length: megabytes }, (_, at) => String.fromCharCode(97 + at).repeat(MB))])

test('given a small file, then all of it is sent', async () => {
  const { size, length, bytes } = await sent(large('PK', 9))
  expect([size, length, bytes.size]).toEqual([null, null, 9 * MB + 2])
})

test('given a large file, then its first megabytes are sent', async () => {
  const { size, begin, length, bytes } = await sent(large('[', 20))
  expect([size, begin, length, bytes.size]).toEqual([`${20 * MB + 1}`, '0', `${8 * MB}`, 8 * MB])
  expect((await bytes.text()).at(-1)).toBe('h')
})

test('given a large zip, then its end goes behind them, and another part is sent where one is asked for', async () => {
  const first = await sent(large('PK', 20))
  expect([first.begin, first.length, first.bytes.size]).toEqual(['0', `${8 * MB}`, 10 * MB])
  const next = await sent(large('PK', 20), 15 * MB)
  // what the end holds is not sent twice
  expect([next.begin, next.length, next.bytes.size]).toEqual([`${15 * MB}`, `${3 * MB + 2}`, 5 * MB + 2])
  expect((await next.bytes.text()).at(-1)).toBe('t')
})
