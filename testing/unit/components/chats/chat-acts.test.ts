import { expect, it, vi } from 'vitest'
import { takeBackToast, undoNoted, undoToast } from '@/components/app/toasts'
import { chatActs } from '@/components/chats/chat-acts'
import { listedChat } from './listed-chat'

/** Acts on a list whose server answers each request when the test says so. */
function slowServer() {
  const asked: { body: unknown; answer(ids: string[]): void; refuse(): void }[] = []
  const noted: unknown[] = []
  const acts = chatActs({
    api: {
      signIn: async () => undefined,
      goOnAsGuest: async () => undefined,
      ahead: async (act) => act(fetch),
      fetch: (_, init) =>
        new Promise((resolve, reject) =>
          asked.push({
            body: JSON.parse(String(init?.body)),
            answer: (ids) => resolve(Response.json({ ids })),
            refuse: () => reject(new TypeError('fetch failed')),
          }),
        ),
    },
    ask: () => undefined,
    noteChat: (chat) => noted.push(chat),
    forgetChats: () => undefined,
    isKnown: () => true,
  })
  return { acts, asked, noted }
}

const picked = { chats: [listedChat('faro', { title: 'Faro' })] }

it('given an earlier note, when a chat is archived and Undo comes before the answer, then the chat comes back and nothing else', async () => {
  const { acts, asked, noted } = slowServer()
  const renamedBack = vi.fn()
  undoToast('Renamed the chat', renamedBack)
  const archived = acts.archiveChats(picked, true)
  expect(undoNoted()).toBe(true)
  expect(asked).toHaveLength(1)
  asked[0]?.answer(['faro'])
  await archived
  await vi.waitFor(() => expect(asked).toHaveLength(2), 10_000)
  expect(asked[1]?.body).toEqual({ ids: ['faro'], archived: false })
  asked[1]?.answer(['faro'])
  await vi.waitFor(() => expect(noted.at(-1)).toEqual({ id: 'faro', archivedAt: null }), 10_000)
  expect(renamedBack).not.toHaveBeenCalled()
  expect(undoNoted()).toBe(false)
})

it('given a server that refuses, when a chat is archived, then the note goes, and a later one stays', async () => {
  const { acts, asked } = slowServer()
  const refused = acts.archiveChats(picked, true)
  asked[0]?.refuse()
  await refused
  expect(undoNoted()).toBe(false)
  const again = acts.archiveChats(picked, true)
  const later = vi.fn()
  undoToast('Renamed the chat', later)
  asked[1]?.refuse()
  await again
  expect(undoNoted()).toBe(true)
  expect(later).toHaveBeenCalledOnce()
  takeBackToast()
})
