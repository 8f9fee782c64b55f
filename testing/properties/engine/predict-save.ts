import { HeadConflictError } from '@/lib/context'
import {
  append,
  chainOf,
  contextAt,
  type ModelChat,
  type ModelMessage,
  type ModelTab,
  openBranch,
  type Pending,
  type Slot,
  standOn,
} from './model'

type Concrete = Exclude<Pending, { lazy: string }>
type Said = Pick<ModelMessage, 'role' | 'text'>

/** A class of errors that a call must be refused with. */
export type Refusal = new (...args: never[]) => Error

/** Pending messages with lazy ones bound to the reply they replace. */
export function bindLazy(pending: readonly Pending[], head: ModelMessage | null): Concrete[] {
  const bound = [...pending]
  for (const [index, item] of bound.entries()) {
    if (!('lazy' in item)) continue
    const waiting = bound.findLast((other) => !('lazy' in other) && other.role === 'assistant')
    const stored = chainOf(head).findLast(({ role }) => role === 'assistant')
    const slot: Slot = waiting && 'slot' in waiting ? waiting.slot : stored ? { id: idOf(stored) } : {}
    bound[index] = { slot, role: 'assistant', text: item.lazy }
  }
  return bound.filter((item) => 'slot' in item)
}

interface Split {
  /** new messages that go below the head */
  stay: Concrete[]
  /** the first edited message, and everything from it on */
  edited?: ModelMessage
  line: Concrete[]
}

function split(chat: ModelChat, pending: readonly Concrete[]): Split {
  const unique: Concrete[] = []
  for (const item of pending) {
    const at = unique.findIndex(
      ({ slot }) => slot === item.slot || (slot.id !== undefined && slot.id === item.slot.id),
    )
    if (at === -1) unique.push(item)
    else unique[at] = item
  }
  const first = unique.findIndex((item) => {
    const stored = storedAs(chat, item)
    return stored !== undefined && (stored.role !== item.role || stored.text !== item.text)
  })
  const stay = (first === -1 ? unique : unique.slice(0, first)).filter((item) => !storedAs(chat, item))
  const edited = unique[first]
  if (!edited) return { stay, line: [] }
  const stored = storedAs(chat, edited)
  return { stay, line: unique.slice(first), ...(stored && { edited: stored }) }
}

/** What the model would read now: these objects, in this order. Ids still unknown are given to the slots by `bind`. */
export function predictRead(
  chat: ModelChat,
  tab: ModelTab,
): { said: Said; id: string | undefined; bind: (id: string) => void }[] {
  const head = tab.at?.head ?? null
  const { stay, edited, line } = split(chat, bindLazy(tab.pending, head))
  const chain = chainOf(edited ? edited.parent : head)
  return [
    ...chain.map((message) => ({ said: message, id: message.id, bind: () => undefined })),
    ...(edited ? line : stay).map((item) => ({
      said: item,
      id: item.slot.id,
      bind: (id: string) => {
        item.slot.id = id
      },
    })),
  ]
}

/**
 * What `save()` must do to the chat: answers the refusal, or changes the model.
 *
 * The messages set up to the first edited one go below the head, if it is still the one known; everything from there
 * on goes to a new branch that stands where the edited one's parent is.
 */
export function predictSave(chat: ModelChat, tab: ModelTab): Refusal | undefined {
  const { at } = tab
  if (!at) throw new Error('a tab is opened before it saves')
  const { stay, edited, line } = split(chat, bindLazy(tab.pending, at.head))
  if (stay.length > 0 && at.branch.head !== at.head) return HeadConflictError
  for (const { slot, role, text } of stay) append(chat, at.branch, { ...slot, role, text })
  if (edited) {
    const replaced = new Set(line.filter((item) => storedAs(chat, item)))
    const branch = openBranch(chat, at.name, edited.parent, contextAt(edited.parent, edited))
    for (const item of line) {
      const { slot, role, text } = item
      append(chat, branch, { ...(replaced.has(item) ? {} : slot), role, text })
    }
    chat.active = branch
    tab.at = standOn(branch)
  } else if (stay.length > 0) tab.at = standOn(at.branch)
  tab.pending = []
  return undefined
}

const storedAs = (chat: ModelChat, { slot }: Concrete): ModelMessage | undefined =>
  slot.id === undefined ? undefined : chat.messages.find(({ id }) => id === slot.id)

export function idOf({ id }: { id?: string }): string {
  if (id === undefined) throw new Error('the id is not known yet: compare first')
  return id
}
