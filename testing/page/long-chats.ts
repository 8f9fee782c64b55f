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

/** Opens a chat of so many messages in a line. */
export const openLine = (messages = 40): Promise<ChatPage> =>
  openChat({ branches: [{ name: 'main', says: turns(...questions(messages / 2)) }] })

/** Opens a chat in which an agent took sixty steps for three questions, with a checkpoint before the last one. */
export function openAgentRun(): Promise<ChatPage> {
  const asked = ['Find why the lease test fails.', 'Fix it.', 'Run all the tests once more.']
  const says = asked.flatMap((text, turn) => [
    { id: `q${turn}`, says: text },
    { id: `a${turn}`, says: Array.from({ length: 20 }, (_, at) => step(turn * 20 + at)) },
  ])
  return openChat({ branches: [{ name: 'main', says }], checkpoints: { 'before the last run': 'a1' } })
}

/** A step of an agent, every seventh of which failed. */
const step = (at: number): object => ({
  type: 'dynamic-tool',
  toolName: ['read', 'edit', 'bash'][at % 3],
  toolCallId: `call-${at}`,
  input: { path: `lib/lease${at}.ts` },
  ...(at % 7 === 0
    ? { state: 'output-error', errorText: 'locked' }
    : { state: 'output-available', output: { lines: at } }),
})

/** Opens a chat of ten thousand messages on three hundred branches: each leaves one that was opened before it. */
export function openHuge(): Promise<ChatPage> {
  const main = turns(...questions(505))
  const others = Array.from({ length: 299 }, (_, at): GivenBranch => {
    // every third one goes on from another branch
    const from = at % 3 === 2 ? `s${at - 1}-2` : `q${((at * 37) % 500) + 2}`
    const topic = topics[at % 10]
    const texts = Array.from(
      { length: 15 },
      (_, turn) => `What about **${topic}** on a day like number ${at}, part ${turn + 1}?`,
    )
    const says = texts.flatMap((text, turn) => [{ id: `s${at}-${turn}`, says: text }, `# Noted\n${text}`])
    return { name: `main-v${at + 2}`, instead: from, says }
  })
  return openChat({ branches: [{ name: 'main', says: main }, ...others] }, { branch: 'main-v150' })
}

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
