import { type Change, messagePreview, type NewMessage, type Step } from '@/lib/context'
import type { DrizzleContextStore } from '@/lib/store'
import { dice } from '@/lib/testing/dice'

interface LongChat {
  chatId: string
  ownerId: string
  title: string
  messages: number
  branches: number
}

/** Messages a write carries, so that none of them is larger than what the app itself would send. */
const perWrite = 1000
const minute = 60_000

/**
 * Stores a conversation of so many messages on so many branches, the same for the same numbers: `main` holds a fifth of
 * them, every other branch leaves an earlier one at some message and goes its own way for a while.
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

/** The steps that write it, oldest first. */
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
        const message = says(`${chatId}-${written.length}`, depth, began + written.length * minute, roll)
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

const things = [
  'the castle',
  'a garden',
  'the harbour',
  'our budget',
  'the old map',
  'dinner',
  'the night train',
]
const asks = [
  'Tell me more about',
  'What would you change about',
  'How long do we need for',
  'Compare two ways to see',
]
const answers = [
  'Begin early and keep the afternoon free, because most people come after lunch.',
  'There are three ways, and the second one is the cheapest by far.',
  'I would leave it for the last day: it is close to the station and open late.',
  'Give it two hours. The upper part alone is worth one of them.',
]

function says(id: string, depth: number, createdAt: number, roll: (below: number) => number): NewMessage {
  const name = depth % 2 === 0 ? 'user' : 'assistant'
  const thing = things[roll(things.length)]
  const text =
    name === 'user'
      ? `${asks[roll(asks.length)]} ${thing}?`
      : `About ${thing}. ${answers[roll(answers.length)]} ${answers[roll(answers.length)]}\n\n- ${answers[roll(answers.length)]}`
  const data = { id, role: name, parts: [{ type: 'text', text }] }
  return { id, name, type: 'message', data, preview: messagePreview(data), createdAt }
}
