import type { ChatPage } from './chat-page'
import { openChat, turns } from './given'
import type { GivenBranch } from './plant-chat'

const topics = 'budget trains food weather walking museums beaches nightlife hotels islands'.split(' ')
const asks = ['What should we see', 'How do we get there', 'When is it quiet', 'What would you do instead']

/** Questions like those of a person, none twice. */
const questions = (count: number): string[] =>
  Array.from(
    { length: count },
    (_, at) => `${asks[at % 4]}, with ${topics[at % 10]} in mind and one of us on crutches? (${at + 1})`,
  )

/** Opens a chat of forty messages in a line. */
export const openLine = (): Promise<ChatPage> =>
  openChat({ branches: [{ name: 'main', says: turns(...questions(20)) }] })

/** Opens a chat of a hundred messages on eleven branches: main, and ten that ask one of its questions differently and go on. */
export function openForest(branch: string): Promise<ChatPage> {
  const others = topics.map((topic, at): GivenBranch => {
    const texts = [
      `Thinking again about ${topic}: is there a cheaper way?`,
      'And with children?',
      'If it rains?',
    ]
    const says = texts.flatMap((text) => [text, `Noted: ${text}`])
    return { name: `main-v${at + 2}`, instead: `q${at * 2 + 1}`, says }
  })
  return openChat({ branches: [{ name: 'main', says: turns(...questions(20)) }, ...others] }, { branch })
}
