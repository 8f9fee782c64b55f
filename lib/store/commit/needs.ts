import { type Change, type Needs, type NotReadError, noNeeds, type Slice, standKey } from '@/lib/context'
import type { Step } from '@/lib/events'

/** Free names read beyond those that a change takes, for the next change. */
const MORE_NAMES = 7

/** Names the parts of a chat that a change looks at. A missing one costs `decide` a second trip to the database. */
export function needsOf({ steps, contexts = [], create }: Change, needs = noNeeds()): Needs {
  const brought = new Set(contexts.map(({ id }) => id))
  const context = (id: string | null | undefined) => {
    if (id != null && !brought.has(id)) needs.contexts.add(id)
  }
  const made = new Set(create ? [create.branchId] : [])
  const said = new Set<string>()
  const branch = (id: string) => {
    if (!made.has(id)) needs.branches.add(id)
  }
  const message = (id: string | null) => {
    if (id !== null && !said.has(id)) needs.messages.add(id)
  }
  context(create?.contextId)
  for (const step of steps) needStep(step, { needs, branch, message, context, made, said })
  return needs
}

interface Needing {
  needs: Needs
  branch(id: string): void
  message(id: string | null): void
  context(id: string | null | undefined): void
  /** branches and messages that the change makes itself */
  made: Set<string>
  said: Set<string>
}

function needStep(step: Step, { needs, branch, message, context, made, said }: Needing): void {
  switch (step.kind) {
    case 'append':
      // the branch is read with its head
      branch(step.branchId)
      context(step.contextId)
      for (const { id, contextId } of step.messages) {
        said.add(id)
        context(contextId)
      }
      if (step.orBranchId !== undefined) made.add(step.orBranchId)
      return
    case 'open-branch': {
      made.add(step.branchId)
      message(step.at)
      context(step.contextId)
      const { fork, name, after } = step
      if (name !== undefined) needs.names.add(name)
      else needs.freeNames.set(after, (needs.freeNames.get(after) ?? MORE_NAMES) + 1)
      if (fork && 'messageId' in fork) {
        if (!said.has(fork.messageId)) needs.forks.add(fork.messageId)
      } else if (fork) {
        branch(fork.threadId)
        needs.stands.add(standKey(fork.threadId, fork.eventNumber))
      }
      return
    }
    case 'rename-branch':
      needs.names.add(step.name)
      branch(step.branchId)
      return
    case 'set-context':
      context(step.contextId)
      branch(step.branchId)
      return
    case 'save-checkpoint':
      needs.checkpoints.add(step.name)
      message(step.messageId)
      return
    case 'remove-checkpoint':
      needs.checkpoints.add(step.name)
      return
    case 'finish-run':
      needs.runs.add(step.runId)
      return
    case 'move-head':
      branch(step.branchId)
      message(step.headId)
      return
    case 'mark-move':
      if (step.joins !== undefined) needs.moves.add(step.joins)
      return
    case 'keep-nodes':
      for (const { messageId } of step.nodes) message(messageId)
      return
    case 'steer-agent':
      needs.steerings.add(step.branchId)
      branch(step.branchId)
      if (step.targetId !== null) branch(step.targetId)
      return
    case 'follow-steering':
      needs.steerings.add(step.branchId)
      return
    case 'queue-run':
      branch(step.branchId)
      context(step.contextId)
      return
    case 'switch-branch':
    case 'title-branch':
    case 'archive-branch':
    case 'unarchive-branch':
    case 'record':
    case 'begin-replay':
    case 'move-replay':
      branch(step.branchId)
      return
    case 'update-chat':
    case 'note-received':
    case 'note':
    case 'mark-undone':
    case 'mark-redone':
    case 'keep-bisect':
      return
    default: {
      const unknown: never = step
      throw new Error(`nothing is known of ${JSON.stringify(unknown)}`)
    }
  }
}

/** The needs that a slice does not cover; null when it covers all. */
export function missingIn(slice: Slice, needs: Needs): Needs | null {
  const missing: Needs = {
    branches: unread(needs.branches, slice.threads),
    messages: unread(needs.messages, slice.messages),
    forks: new Set(),
    checkpoints: unread(needs.checkpoints, slice.checkpoints),
    names: unread(needs.names, slice.names),
    freeNames: new Map([...needs.freeNames].filter(([base]) => !slice.freeNames.isRead(base))),
    contexts: unread(needs.contexts, slice.facts),
    runs: unread(needs.runs, slice.runs),
    stands: unread(needs.stands, slice.stands),
    steerings: unread(needs.steerings, slice.steerings),
    moves: new Set([...needs.moves].filter((seq) => slice.lastMove?.seq !== seq)),
  }
  for (const id of needs.forks) {
    const recordedOn = slice.messages.isRead(id) ? slice.messages.get(id)?.threadId : undefined
    if (recordedOn === undefined || !slice.threads.isRead(recordedOn)) missing.forks.add(id)
  }
  return Object.values(missing).some(({ size }) => size > 0) ? missing : null
}

const unread = (asked: ReadonlySet<string>, of: { isRead(key: string): boolean }): Set<string> =>
  new Set([...asked].filter((key) => !of.isRead(key)))

/** Adds a missing part, which a decision asked for, to some needs. */
export function needMore(needs: Needs, { of, key }: NotReadError): void {
  if (of === 'freeNames') needs.freeNames.set(key, 2 * (needs.freeNames.get(key) ?? MORE_NAMES))
  else needs[of].add(key)
}
