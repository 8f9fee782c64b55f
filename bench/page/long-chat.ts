import { type Change, messagePreview, type NewMessage, type Step } from '@/lib/context'
import type { DrizzleContextStore } from '@/lib/store'
import { dice } from '@/testing/worlds/dice'

interface LongChat {
  chatId: string
  ownerId: string
  title: string
  messages: number
  branches: number
}

/** Messages per write: no write is larger than the app's own. */
const perWrite = 1000
const minute = 60_000

/**
 * Stores a chat of so many messages on so many branches, the same for the same numbers: `main` holds a fifth of the
 * messages, every other branch forks from an earlier branch at some message.
 */
export async function seedLongChat(store: DrizzleContextStore, chat: LongChat): Promise<void> {
  const { chatId, ownerId, title } = chat
  const now = Date.UTC(2026, 10, 1)
  const steps = writing(chat, now - chat.messages * minute)
  let written = 0
  for (let from = 0; from < steps.length; ) {
    const part: Step[] = []
    for (let count = 0; from < steps.length && count < perWrite; from++) {
      const step = steps[from] as Step
      part.push(step)
      if (step.kind === 'append') count += step.messages.length
      written += step.kind === 'append' ? step.messages.length : 0
    }
    const change: Change = { chatId, ownerId, at: now - (chat.messages - written) * minute, steps: part }
    await store.commit({ ...change, create: { userId: ownerId, title, branchId: `${chatId}-main` } })
  }
  const last: Step = { kind: 'switch-branch', branchId: `${chatId}-main` }
  await store.commit({ chatId, ownerId, at: now, steps: [last] })
}

/** The steps of the chat's writes, oldest first. */
function writing({ chatId, messages, branches }: LongChat, began: number): Step[] {
  const { roll } = dice(messages)
  const written: { id: string; depth: number }[] = []
  const steps: Step[] = []
  const onMain = branches === 1 ? messages : Math.ceil(messages / 5)
  let left = messages
  for (let branch = 0; branch < branches; branch++) {
    const branchId = branch === 0 ? `${chatId}-main` : `${chatId}-${branch}`
    const rest = branches - branch
    const most = branch === 0 ? onMain : rest === 1 ? left : Math.max(1, Math.floor((left / rest) * 2))
    const length = branch === 0 || rest === 1 ? most : 1 + roll(most)
    const fork = branch === 0 ? undefined : written[roll(written.length)]
    if (fork) {
      const name = `idea-${branch}`
      const opens = { branchId, name, after: 'main', at: fork.id, fork: { messageId: fork.id } }
      steps.push({ kind: 'open-branch', ...opens, activate: false })
    }
    let head = fork?.id ?? null
    for (let at = 0; at < length; at += 100) {
      const part: NewMessage[] = []
      for (let n = at; n < Math.min(length, at + 100); n++) {
        const depth = (fork ? fork.depth + 1 : 0) + n
        const message = says(began + written.length * minute, depth, roll)
        written.push({ id: message.id, depth })
        part.push(message)
      }
      steps.push({ kind: 'append', branchId, expectedHead: head, messages: part })
      head = part.at(-1)?.id ?? head
    }
    left -= length
    if (fork && branch % 12 === 0 && head !== null) {
      const flag = { checkpointId: `${chatId}-flag-${branch}`, name: `good-${branch / 12}`, messageId: head }
      steps.push({ kind: 'save-checkpoint', ...flag })
    }
  }
  return steps
}

const things =
  'castle garden harbour budget map dinner train museum bridge market tower island chapel library theatre vineyard lighthouse bakery tram river square palace workshop festival'.split(
    ' ',
  )
const kinds =
  'old small quiet famous hidden crowded modern cheap distant local restored painted narrow sunny forgotten busy'.split(
    ' ',
  )
const verbs =
  'visit compare skip book sketch measure explain describe plan shorten rebuild photograph reach cross rent share'.split(
    ' ',
  )
const reasons = [
  'because most people come after lunch',
  'as long as it does not rain',
  'and leave the heavy bags at the station',
  'which is the cheapest of the three by far',
  'since the last bus leaves at eleven',
  'though the queue can be long on a Sunday',
  'and ask for the room above the kitchen',
  'if the two of us are not too tired by then',
]

function says(createdAt: number, depth: number, roll: (below: number) => number): NewMessage {
  const id = idAt(createdAt, roll)
  const name = depth % 2 === 0 ? 'user' : 'assistant'
  const one = (of: readonly string[]): string => of[roll(of.length)] ?? ''
  const place = () => `the ${one(kinds)} ${one(things)}`
  const sentence = () => `You could ${one(verbs)} ${place()} ${one(reasons)}.`
  const text =
    name === 'user'
      ? `Should we ${one(verbs)} ${place()} or ${place()} first?`
      : `I would ${one(verbs)} ${place()} on day ${roll(9) + 1}, ${one(reasons)}. ${sentence()}\n\n- ${sentence()}\n- ${sentence()}`
  const data = { id, role: name, parts: [{ type: 'text', text }] }
  return { id, name, type: 'message', data, preview: messagePreview(data), createdAt }
}

/** An id like those the app makes (UUIDv7): they are a good part of what a graph weighs. */
function idAt(time: number, roll: (below: number) => number): string {
  const random = (digits: number) => Array.from({ length: digits }, () => roll(16).toString(16)).join('')
  const hex = time.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${random(3)}-a${random(3)}-${random(12)}`
}
