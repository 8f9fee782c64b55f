import type { BranchId, MessageId } from '@/lib/events'
import type { MoveEntry } from '@/lib/protocol'

/** Names of the things in a line. */
export interface MoveNames {
  branch(id: BranchId): string | undefined
  /** the words for a name that a branch once had; null for a name that is not said. Without it, the name as it is */
  given?(name: string): string | null
  /** the beginning of a message, as it is quoted */
  quote?(id: MessageId): string | undefined
}

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

/** A line of a chat's history in words: `merged porto into main`, `4 turns on main`. */
export function moveWords(entry: MoveEntry, names: MoveNames): string {
  if (entry.kind === 'undone') return `undid: ${whatWasMoved(entry, names)}`
  if (entry.kind === 'redone') return `made again: ${whatWasMoved(entry, names)}`
  return whatWasMoved(entry, names)
}

function whatWasMoved(entry: MoveEntry, { branch, given = (name) => name, quote }: MoveNames): string {
  const { branchId, fromId, name, before, messageId, count } = entry
  const nameOf = (id: BranchId | undefined) => (id !== undefined && branch(id)) || 'a branch'
  const said = (once: string | undefined) => (once === undefined ? null : given(once))
  const named = () => said(name) ?? nameOf(branchId)
  const at = (preposition: string) => {
    const words = messageId === undefined ? undefined : quote?.(messageId)
    return words === undefined ? '' : ` ${preposition} “${words}”`
  }
  switch (entry.move) {
    case undefined: {
      const turns = Math.max(entry.questions ?? 0, entry.replies ?? 0)
      return `${plural(turns, 'turn', 'turns')} on ${nameOf(branchId)}`
    }
    case 'branch':
      if (fromId !== undefined) return `replayed ${nameOf(fromId)} on ${named()}`
      return messageId === undefined ? `began on ${named()}` : `opened ${named()}${at('at')}`
    case 'switch':
      return `switched to ${nameOf(branchId)}`
    case 'rename':
      return `renamed ${said(before) ?? 'a branch'} to ${named()}`
    case 'archive':
      return `archived ${nameOf(branchId)}`
    case 'unarchive':
      return `brought ${nameOf(branchId)} back`
    case 'checkpoint':
      return entry.moved ? `moved checkpoint “${name}”${at('to')}` : `saved checkpoint “${name}”${at('at')}`
    case 'remove-checkpoint':
      return `removed checkpoint “${name}”`
    case 'context':
      return `changed the context of ${nameOf(branchId)}`
    case 'keep': {
      const rest = count ? `, and archived ${plural(count, 'other', 'others')}` : ''
      // no branch: the chat opened on the kept one already
      return `kept ${branchId === undefined ? 'one of them' : nameOf(branchId)}${rest}`
    }
    case 'pick':
      return `picked ${count ? plural(count, 'message', 'messages') : 'messages'} onto ${nameOf(branchId)}`
    case 'merge':
      return `merged ${nameOf(fromId)} into ${nameOf(branchId)}`
    case 'steer':
      if (branchId === undefined) return `stopped steering the agent on ${nameOf(fromId)}`
      return `steered the agent on ${nameOf(fromId)} to ${nameOf(branchId)}`
    case 'leave-out':
      return `left messages out of the prompt on ${nameOf(branchId)}`
    case 'put-back':
      return `put messages back into the prompt on ${nameOf(branchId)}`
    case 'receive': {
      if (branchId !== undefined)
        return count === 1
          ? `pulled ${nameOf(branchId)}`
          : `pulled ${plural(count ?? 0, 'branch', 'branches')}`
      const what = plural(count ?? 0, 'message', 'messages')
      return name === undefined ? `received ${what}` : `received ${what} from “${name}”`
    }
    case 'compact':
      return `compacted ${nameOf(fromId)} into ${nameOf(branchId)}`
  }
}
