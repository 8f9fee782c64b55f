import { readFile } from 'node:fs/promises'
import type { Ports } from '@/lib/conversations'
import type { ForeignChat, ForeignMessage, OpenExport } from '@/lib/transfer'

const day = (n: number) => new Date(Date.UTC(2023, 4, 1) + n * 3_600_000)

/** A message of another program. */
export const foreignMessage = (
  id: string,
  parentId: string | null,
  over: Partial<ForeignMessage> = {},
): ForeignMessage => {
  const role = id.startsWith('a') ? 'assistant' : id.startsWith('s') ? 'system' : 'user'
  const model = role === 'assistant' ? 'gpt-4o' : null
  const parts: ForeignMessage['parts'] = [{ type: 'text', text: `Words of ${id}` }]
  return {
    id,
    parentId,
    role,
    parts,
    createdAt: day(id.length),
    model,
    speaker: null,
    isHidden: false,
    held: 1,
    ...over,
  }
}

/** A chat of another program; without messages of its own, a question that was answered twice. */
export function foreignChat(id: string, over: Partial<ForeignChat> = {}): ForeignChat {
  const messages = over.messages ?? [
    foreignMessage(`q-${id}`, null),
    foreignMessage(`a-${id}`, `q-${id}`),
    foreignMessage(`a-${id}-again`, `q-${id}`),
  ]
  return {
    id,
    title: `Chat ${id}`,
    createdAt: day(1),
    updatedAt: day(30),
    messages,
    currentId: messages.at(-1)?.id ?? null,
    branches: [],
    isPinned: false,
    isArchived: false,
    tags: [],
    counts: { found: messages.length, empty: 0, skipped: 0 },
    instructions: null,
    problems: [],
    isNamedByFile: false,
    origin: null,
    ...over,
  }
}

/** Reads files that hold chats as JSON, and says before each which one comes; each is said to have so many bytes. */
export function readsJson(
  before: (place: number) => void | Promise<void> = () => undefined,
  bytes = 0,
): Ports['importing'] {
  return {
    fileBytes: 1_000_000,
    async open(path): Promise<OpenExport> {
      const chats: ForeignChat[] = JSON.parse(await readFile(path, 'utf8'), (key, value) =>
        ['createdAt', 'updatedAt'].includes(key) && value !== null ? new Date(value) : value,
      )
      return {
        source: 'chatgpt',
        async *items(from = 0) {
          for (const [place, chat] of chats.entries()) {
            if (place < from) continue
            await before(place)
            yield { place, chat, source: 'chatgpt', bytes }
          }
        },
        openFile: async () => null,
        close: async () => undefined,
      }
    },
  }
}
