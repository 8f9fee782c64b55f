import type { AppendMessages, BranchId, ContextId, MessageId, NewMessage, Step } from '@/lib/events'
import { asMove, type NewId } from './plan-moves'

/** A message from another server, and its parent. */
export interface ReceivedMessage {
  message: NewMessage
  parentId: MessageId | null
}

/** A branch that is to stand at a message. */
export interface ReceivingBranch {
  branchId: BranchId
  name: string
  /** its present head; undefined for a branch to open */
  from: MessageId | null | undefined
  /** its new head; null for a branch that opens empty */
  to: MessageId | null
  /** the context in force on an opened branch */
  contextId?: ContextId | undefined
  /** true for an opened branch that people do not write on */
  archived?: boolean
}

/** Messages of one step at most. */
const LINE = 500

/**
 * Takes in messages of another server and moves branches to their heads there. A message is recorded on the
 * first branch whose line contains it; messages outside every line, such as the other side of a merge, get
 * branches of their own. They are written in the order of their arrival, so parents always exist.
 *
 * @param input.messages the missing messages, parents before their children
 * @param input.remote the server they come from, for the log: null when it has no name here; undefined logs
 * nothing
 * @param input.at now, in milliseconds: the log gets this time, the messages keep theirs
 */
export function planReceive({
  messages,
  branches,
  checkpoints = [],
  remote,
  at,
  newId,
}: {
  messages: readonly ReceivedMessage[]
  branches: readonly ReceivingBranch[]
  checkpoints?: readonly { name: string; messageId: MessageId }[]
  remote?: string | null
  at: number
  newId: NewId
}): Step[] {
  const receiving = new Receiving(messages, at)
  for (const branch of branches) if (branch.to !== null) receiving.draw(branch, branch.to)
  for (const { message } of messages.toReversed()) {
    if (!receiving.isDrawn(message.id))
      receiving.draw({ branchId: newId(), name: '', from: undefined, to: message.id }, message.id)
  }
  for (const message of messages) receiving.record(message)
  for (const branch of branches) receiving.finish(branch)
  for (const { name, messageId } of checkpoints)
    receiving.steps.push({ kind: 'save-checkpoint', checkpointId: newId(), name, messageId })
  if (remote !== undefined) receiving.steps.push({ kind: 'note-received', remote, messages: messages.length })
  return receiving.steps
}

/** Steps that move a person's own branches to received heads: Undo takes them back. */
export const asReceived = (steps: Step[]): Step[] => asMove('receive', steps)

class Receiving {
  readonly steps: Step[] = []
  readonly #new: ReadonlyMap<MessageId, ReceivedMessage>
  /** the branch that each message is recorded on */
  readonly #lines = new Map<MessageId, ReceivingBranch>()
  /** heads of branches after the steps so far */
  readonly #heads = new Map<BranchId, MessageId | null>()

  constructor(
    messages: readonly ReceivedMessage[],
    private readonly at: number,
  ) {
    this.#new = new Map(messages.map((received) => [received.message.id, received]))
  }

  isDrawn(id: MessageId): boolean {
    return this.#lines.has(id)
  }

  /** Gives a branch its messages, from the head up to the first that is stored or another branch's. */
  draw(branch: ReceivingBranch, head: MessageId): void {
    let id: MessageId | null = head
    while (id !== null) {
      const received: ReceivedMessage | undefined = this.#new.get(id)
      if (!received || this.#lines.has(id)) return
      this.#lines.set(id, branch)
      id = received.parentId
    }
  }

  record({ message, parentId }: ReceivedMessage): void {
    const branch = this.#lines.get(message.id)
    if (!branch) throw new Error(`No branch has message "${message.id}"`)
    this.#stand(branch, parentId)
    const { branchId } = branch
    const last = this.steps.at(-1)
    if (last?.kind === 'append' && last.branchId === branchId && last.messages.length < LINE)
      last.messages.push(message)
    else {
      const step: AppendMessages = {
        kind: 'append',
        branchId,
        expectedHead: parentId,
        messages: [message],
        // an existing branch may have a reply under way
        ...(branch.from !== undefined && { whenIdle: true }),
      }
      this.steps.push({ ...step, dated: this.at })
    }
    this.#heads.set(branchId, message.id)
  }

  /** Finishes a branch on which no message was recorded, or whose end is on another branch's line. */
  finish(branch: ReceivingBranch): void {
    this.#stand(branch, branch.to)
    if (branch.from === undefined && branch.archived)
      this.steps.push({ kind: 'archive-branch', branchId: branch.branchId })
  }

  /** Has a branch stand at a message: opens it there, or moves its head. */
  #stand({ branchId, name, from, contextId }: ReceivingBranch, at: MessageId | null): void {
    const known = this.#heads.has(branchId) ? this.#heads.get(branchId) : from
    this.#heads.set(branchId, at)
    if (known === at) return
    if (known !== undefined) {
      this.steps.push({ kind: 'move-head', branchId, expectedHead: known, headId: at })
      return
    }
    this.steps.push({
      kind: 'open-branch',
      branchId,
      ...(name !== '' && { name }),
      after: 'received',
      at,
      ...(at !== null && { fork: { messageId: at } }),
      ...(contextId !== undefined && { contextId }),
      activate: false,
    })
  }
}
