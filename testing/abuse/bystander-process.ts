import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline'
import { Visitor } from '@/testing/faults/visitor'
import type { Worst } from './bystander'

/**
 * A person who chats during attacks, in a process of its own that the attack's clients do not slow:
 * `bystander-process BASE PAUSE`. Prints a line when the chat has begun. For each line of input it prints the longest times since
 * the line before, as JSON, and begins another chat. Ends with its input.
 */
const [, , base = '', between] = process.argv

const none = (): Worst => ({ page: 0, send: 0, firstWord: 0, health: 0, unwell: 0, rounds: 0, problems: [] })
let worst = none()
let chatId = randomUUID()
let asked = 0
let wake = (): void => undefined
const input = createInterface({ input: process.stdin })
input.on('line', () => {
  asked++
  wake()
})
input.on('close', () => process.exit(0))

const visitor = await new Visitor().signIn(base)
// the first of everything is slow by itself, and does not count
await round()
worst = none()
console.log('chatting')
for (;;) {
  await round().catch((error: unknown) => {
    worst.problems.push(error instanceof Error ? error.message : String(error))
  })
  worst.rounds++
  for (; asked > 0; asked--) {
    console.log(JSON.stringify(worst))
    worst = none()
    chatId = randomUUID()
  }
  await pause()
}

/** Waits between two rounds, until it is asked at most. */
function pause(): Promise<void> {
  return new Promise((resolve) => {
    wake = resolve
    setTimeout(resolve, Number(between))
  })
}

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
  const { status } = await fetch(`${base}/api/health`)
  if (status === 503) worst.unwell++
  else if (status !== 200) throw new Error(`The health was answered ${status}`)
  see('health', checked)
}

function see(what: 'page' | 'send' | 'firstWord' | 'health', since: number): void {
  worst[what] = Math.max(worst[what], performance.now() - since)
}
