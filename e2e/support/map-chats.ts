import { randomUUID } from 'node:crypto'
import type { ChatPage } from './chat-page'
import { seedTurns, sendTurn, signIn, userMessage } from './openings'

const asked = [
  'We have three days in Lisbon in May. What should we not miss?',
  'Yes, plan day one. We like walking, but one of us has a bad knee.',
  'Which tram is worth the wait, and at what time of day?',
  'Where do we eat near the cathedral without a reservation?',
  'What does a day ticket cost, and where is it sold?',
  'Is the castle worth it in the heat of the afternoon?',
  'How early do we have to be at the tower to avoid the queue?',
  'Can we swim anywhere that a train reaches in half an hour?',
  'What is open on a Monday, when most museums are closed?',
  'And if it rains all day: what would you do instead?',
]

/** The words of a question: like those of a person, none twice. */
const question = (at: number): string => `${asked[at % asked.length]} (${at + 1})`

/** Stores a chat of forty messages without a fork. */
export const seedLine = (chat: ChatPage): Promise<string> =>
  seedTurns(
    chat,
    Array.from({ length: 20 }, (_, at) => question(at)),
  )

/** Stores a chat of 100 messages on eleven branches, which leave `main` all along it; `main` is read. */
export async function seedBranches(chat: ChatPage): Promise<string> {
  const { request } = chat.page
  const chatId = randomUUID()
  await signIn(request)
  let said = 0
  const say = (more: object, id?: string) =>
    sendTurn(request, chatId, userMessage(question(said++), id), more)
  for (let turn = 1; turn <= 12; turn++) await say({}, `q${turn}`)
  for (let version = 2; version <= 11; version++) {
    await say({ branch: 'main', messageId: `q${version}` })
    const turns = version % 5 === 0 ? 2 : 3
    for (let turn = 0; turn < turns; turn++) await say({ branch: `main-v${version}` })
  }
  return chatId
}
