import { describe, expect, it } from 'vitest'
import { type Entry, endBlocks, entryBlocks, readEntries } from '@/lib/store/admin/backup/tar'

const at = new Date(1_700_000_000_000)
const entry = (name: string, text: string): Entry => ({ name, bytes: Buffer.from(text) })
const archive = (...entries: Entry[]): Buffer =>
  Buffer.concat([...entries.flatMap((one) => entryBlocks(one, at)), endBlocks()])

/** The entries of a stream that comes in chunks of some size. */
async function read(bytes: Buffer, size = 100): Promise<[string, string][]> {
  async function* chunks() {
    for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
  }
  const found: [string, string][] = []
  for await (const { name, bytes: content } of readEntries(chunks())) {
    found.push([name, Buffer.from(content).toString()])
  }
  return found
}

/** A header with another value in it, and the sum that belongs to it. */
function withHeader(change: (header: Buffer) => void): Buffer {
  const bytes = archive(entry('a', 'words'))
  const header = bytes.subarray(0, 512)
  change(header)
  header.fill(' ', 148, 156)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return bytes
}

describe('the archive of a backup', () => {
  it.each([1, 100, 511, 512, 5000])('is read as it was written, in chunks of %i bytes', async (size) => {
    const texts = { 'one.json': '{}', empty: '', 'tables/a/000001.copy': 'x'.repeat(512) }
    const written = Object.entries(texts)
    expect(await read(archive(...written.map(([name, text]) => entry(name, text))), size)).toEqual(written)
  })

  it('is refused where it is cut off, goes on, or has anything but plain files', async () => {
    const whole = archive(entry('a', 'words'))
    for (const length of [0, 100, 512, 600, 1024, whole.length - 1]) {
      await expect(read(whole.subarray(0, length))).rejects.toThrow(/^it (ends too early|does not end)/)
    }
    await expect(read(Buffer.concat([whole, Buffer.from('more')]))).rejects.toThrow('does not end')
    const link = withHeader((header) => header.write('2', 156))
    await expect(read(link)).rejects.toThrow('damaged')
    const long = withHeader((header) => header.write('77777777777', 124))
    await expect(read(long)).rejects.toThrow('too large')
    const sum = archive(entry('a', 'words'))
    sum.write('b', 0)
    await expect(read(sum)).rejects.toThrow('damaged')
  })
})
