import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { Visitor } from '@/testing/faults/visitor'
import type { Worst } from './bystander'

/**
 * A person who chats during an attack, in a process of its own that the attack's clients do not slow:
 * `bystander-process BASE`. Prints a line when the chat has begun, and at the end of its input the longest times, as JSON.
 */
const base = process.argv[2] ?? ''
/** Between two rounds, in ms: a person, and below every limit of writes. */
const PAUSE = 150

const worst: Worst = { page: 0, send: 0, firstWord: 0, health: 0, rounds: 0, problems: [] }
let goesOn = true
process.stdin.on('end', () => {
  goesOn = false
})
process.stdin.resume()

const visitor = await new Visitor().signIn(base)
const chatId = randomUUID()
await round()
// the first of everything is slow by itself, and does not count
Object.assign(worst, { page: 0, send: 0, firstWord: 0, health: 0, rounds: 0 })
console.log('chatting')
while (goesOn) {
  await round().catch((error: unknown) => {
    worst.problems.push(error instanceof Error ? error.message : String(error))
  })
  worst.rounds++
  await pause(PAUSE)
}
console.log(JSON.stringify(worst))
process.exit(0)

async function round(): Promise<void> {
  const sent = performance.now()
  const follower = await visitor.send(base, chatId, 'hello', 'demo:demo')
  await follower.next()
  see('send', sent)
  await follower.until(() => follower.text !== '', 'the first word')
  see('firstWord', sent)
  await follower.rest()
  const asked = performance.now()
  await visitor.text(`${base}/c/${chatId}`)
  see('page', asked)
  const checked = performance.now()
  await visitor.text(`${base}/api/health`)
  see('health', checked)
}

function see(what: 'page' | 'send' | 'firstWord' | 'health', since: number): void {
  worst[what] = Math.max(worst[what], performance.now() - since)
}
