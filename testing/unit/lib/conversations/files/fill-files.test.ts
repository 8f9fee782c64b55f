import type { UIMessage } from 'ai'
import { expect, it } from 'vitest'
import { fillFiles } from '@/lib/conversations'
import { fileUrl } from '@/lib/protocol'

const MB = 1024 * 1024

/** Files of a chat, by their ids: type and size; each asked for is noted. */
function stored(files: Record<string, [mediaType: string, size: number]>) {
  const read: string[] = []
  return {
    read,
    async ofChat(_chatId: string, ids: readonly string[]) {
      return ids.flatMap((id) => {
        const [mediaType, size] = files[id] ?? []
        return mediaType && size ? [{ id, mediaType, size, name: `${id}.bin`, sha256: '' }] : []
      })
    },
    async bytes({ id, size }: { id: string; size: number }) {
      read.push(id)
      // its size counts, and what it holds is short
      return Buffer.from(`bytes of ${id}`.slice(0, size))
    },
  }
}

const said = (...ids: string[]): UIMessage => ({
  id: ids.join(),
  role: 'user',
  parts: ids.map((id) => ({ type: 'file', mediaType: 'x/y', filename: `${id}.txt`, url: fileUrl(id) })),
})
const input = ['text/plain', 'image/*']
const partsOf = (messages: UIMessage[]) =>
  messages.flatMap(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : part)))

it('given none, then the messages are the same, and nothing is looked up', async () => {
  const messages: UIMessage[] = [{ id: 'q', role: 'user', parts: [{ type: 'text', text: 'Hello' }] }]
  const never = () => Promise.reject(new Error('looked up'))
  expect(await fillFiles({ ofChat: never, bytes: never }, messages, { chatId: 'c', input: never })).toBe(
    messages,
  )
})

it('given one that is gone and one that the model cannot read, then lines name them, and their bytes are not read', async () => {
  const files = stored({ paper: ['application/pdf', 2048] })
  const filled = await fillFiles(files, [said('gone', 'paper')], { chatId: 'c', input: () => input })
  expect(partsOf(filled)).toEqual([
    '[The file "gone.txt" is no longer stored.]',
    '[The file "paper.txt" (application/pdf, 2 kB) is left out: this model cannot read it.]',
  ])
  expect(files.read).toEqual([])
})

it('given more than a request holds, then the newest are sent, and the others named', async () => {
  const png = (size: number): [string, number] => ['image/png', size * MB]
  const files = stored({ old: png(30), mid: png(20), new: png(25) })
  const messages = ['old', 'mid', 'new'].map((id) => said(id))
  const filled = await fillFiles(files, messages, { chatId: 'c', input: () => input })
  const sent = (id: string) => expect.objectContaining({ type: 'file', filename: `${id}.txt` })
  expect(partsOf(filled)).toEqual([
    '[The file "old.txt" (image/png, 30 MB) is left out: the files of this chat are too large together.]',
    ...[sent('mid'), sent('new')],
  ])
  expect(files.read).toEqual(['new', 'mid'])
})
