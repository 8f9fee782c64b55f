/**
 * What a chat should hold, as plainly as it can be said: a tree of texts, and names that point into it. It shares
 * nothing with the code under test. Ids that the engine makes up are undefined until `compare` has seen them.
 */
export interface ModelMessage {
  id?: string
  parent: ModelMessage | null
  role: 'user' | 'assistant'
  text: string
  /** the branch it was said on */
  on: ModelBranch
  /** id of the context in force at it */
  context: string | null
}

export interface ModelBranch {
  name: string
  id?: string
  context: string | null
  head: ModelMessage | null
  /** null until it gets one */
  title: string | null
  archived: boolean
}

interface ModelRun {
  id: string
  branch: ModelBranch
  replyTo: ModelMessage
  replyId: string
  live: boolean
}

export interface ModelChat {
  messages: ModelMessage[]
  branches: ModelBranch[]
  active: ModelBranch
  checkpoints: Map<string, ModelMessage>
  runs: ModelRun[]
  title?: string
  metadata: Record<string, unknown>
}

/** The id of a pending message; lazy ones that share a reply share it too. */
export interface Slot {
  id?: string
}

export type Pending = { slot: Slot; role: 'user' | 'assistant'; text: string } | { lazy: string }

/** One engine: a browser tab, a script. What it knows of its branch may be out of date. */
export interface ModelTab {
  /** the branch it was asked to begin on */
  wanted?: string
  /** undefined until its first call */
  at?: { branch: ModelBranch; name: string; head: ModelMessage | null; context: string | null }
  pending: Pending[]
}

export class Model {
  chat: ModelChat | undefined
  readonly tabs: [ModelTab, ModelTab] = [{ pending: [] }, { pending: [] }]
  #count = 0

  /** A name that is new. */
  fresh(prefix: string): string {
    this.#count += 1
    return `${prefix}${this.#count}`
  }

  tab(index: number): ModelTab {
    return index === 0 ? this.tabs[0] : this.tabs[1]
  }
}

export function newChat(): ModelChat {
  const main: ModelBranch = { name: 'main', head: null, context: null, title: null, archived: false }
  return { messages: [], branches: [main], active: main, checkpoints: new Map(), runs: [], metadata: {} }
}

export function chainOf(head: ModelMessage | null): ModelMessage[] {
  const chain: ModelMessage[] = []
  for (let message = head; message; message = message.parent) chain.unshift(message)
  return chain
}

/** `{base}-v2`, or the next number that is free; bases beyond 180 characters are cut (DESIGN.md §5). */
function freeNameOf(taken: readonly ModelBranch[], base: string): string {
  const letters = Array.from(base)
  const stem = letters.length > 180 ? `${letters.slice(0, 180).join('')}…` : base
  const names = new Set(taken.map(({ name }) => name))
  for (let n = 2; ; n += 1) {
    const name = `${stem}-v${n}`
    if (!names.has(name)) return name
  }
}

/** @param context see `contextAt` */
export function openBranch(
  chat: ModelChat,
  after: string,
  head: ModelMessage | null,
  context: string | null,
): ModelBranch {
  const branch: ModelBranch = {
    name: freeNameOf(chat.branches, after),
    head,
    context,
    title: null,
    archived: false,
  }
  chat.branches.push(branch)
  return branch
}

/** What a branch that opens at a message begins with: the message's context, else that of the branch it was said on. */
export const contextAt = (message: ModelMessage | null, fork: ModelMessage): string | null =>
  message?.context ?? fork.on.context

export function append(
  chat: ModelChat,
  branch: ModelBranch,
  message: Pick<ModelMessage, 'id' | 'role' | 'text'>,
): void {
  branch.head = { ...message, parent: branch.head, on: branch, context: branch.context }
  chat.messages.push(branch.head)
}

/** By name, else by id, as everywhere. */
export function findBranch(chat: ModelChat, nameOrId: string): ModelBranch | undefined {
  const { branches } = chat
  return branches.find(({ name }) => name === nameOrId) ?? branches.find(({ id }) => id === nameOrId)
}

export const standOn = (branch: ModelBranch): NonNullable<ModelTab['at']> => ({
  branch,
  name: branch.name,
  head: branch.head,
  context: branch.context,
})
