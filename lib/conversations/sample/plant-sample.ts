import {
  messagePreview,
  type NewMessage,
  planCheckpoint,
  planEdit,
  planFork,
  planMerge,
  planPick,
  planSwitch,
  planTurn,
  type Step,
} from '@/lib/context'
import type { ChatId, MessageId, UserId } from '@/lib/events'
import type { Ports } from '../ports'
import { contextFor } from '../turns/context-value'
import { lisbon, type SampleBranch } from './lisbon'

/** Between two messages of the sample, in milliseconds. */
const PACE = 45_000

/** Makes the sample conversation a chat of this person, in one write. */
export async function plantSample(ports: Ports, ownerId: UserId): Promise<{ chatId: ChatId }> {
  const { title, branches, together, checkpoints, opensOn } = lisbon
  const chatId = ports.newId()
  const at = ports.clock()
  const context = contextFor(ports.models.defaultId, null)
  const ids = new Map<string, MessageId>()
  const byPerson = new Set<MessageId | null>()
  const branchIds = new Map(branches.map(({ name }) => [name, ports.newId()]))
  const count = branches.reduce((sum, { says }) => sum + Object.keys(says).length, 0)

  const steps: Step[] = []
  const written = new Map<MessageId, NewMessage>()
  const heads = new Map<string, MessageId>()
  const timeOf = () => at - (count - ids.size) * PACE

  /** Makes the picks and merges that a branch begins with; returns its head afterwards. */
  const gather = (
    { branchId, name, picks, merges }: Pick<SampleBranch, 'name' | 'picks' | 'merges'> & { branchId: string },
    begun: MessageId | null,
  ): MessageId | null => {
    const standing = (headId: MessageId | null) => ({ branchId, branchName: name, headId, context })
    let headId = begun
    if (picks) {
      const messages = picks.flatMap((key) => {
        const message = written.get(need(ids, key))
        return message ? [{ ...message, chatId, parentId: null, isOnChain: false }] : []
      })
      const picked = planPick({ branch: standing(headId), messages, at: timeOf(), newId: ports.newId })
      steps.push(...picked.steps)
      headId = picked.messageIds.at(-1) ?? headId
    }
    if (merges) {
      const { branch, base, brief, quote, conflict } = merges
      const { sourceAt, targetAt, instead, ...wordings } = conflict
      const quoted = need(ids, quote)
      const merged = planMerge({
        source: { branchId: need(branchIds, branch), name: branch, headId: need(heads, branch) },
        target: standing(headId),
        base: { baseId: need(ids, base), own: 1 },
        way: {
          mode: 'brief',
          brief,
          quotes: [{ messageId: quoted, text: messagePreview(written.get(quoted)?.data) }],
          conflicts: [
            {
              id: 'said:1',
              ...wordings,
              resolution: { text: instead },
              sourceMessageId: need(ids, sourceAt),
              targetMessageId: need(ids, targetAt),
            },
          ],
        },
        at: timeOf(),
        newId: ports.newId,
      })
      steps.push(...merged.steps)
      headId = merged.messageId
    }
    return headId
  }

  for (const { name, at: key, instead, picks, merges, says } of branches) {
    const branchId = need(branchIds, name)
    const headId = key === undefined ? null : need(ids, key)
    const fork = { name, after: name, activate: false, newId: () => branchId }
    if (instead !== undefined) {
      const edited = { id: need(ids, instead), parentId: headId }
      steps.push(...planEdit({ ...fork, edited, messages: [] }).steps)
    } else if (headId !== null) steps.push(...planFork({ ...fork, messageId: headId }).steps)
    let above = gather({ branchId, name, picks, merges }, headId)
    const standsAt = above
    const messages = Object.entries(says).map(([key, text]): NewMessage => {
      const id = ports.newId()
      // replies that were asked for at once are no older than their branches, which open now
      const createdAt = together.includes(key) ? at : timeOf()
      const reply = byPerson.has(above) ? { model: context.model, usage: null } : undefined
      if (!reply) byPerson.add(id)
      ids.set(key, id)
      above = id
      const role = reply ? 'assistant' : 'user'
      const data = { id, role, parts: [{ type: 'text', text }], metadata: { createdAt, model: reply?.model } }
      const preview = messagePreview(data)
      heads.set(name, id)
      const message: NewMessage = { id, name: role, type: 'message', data, preview, createdAt, reply }
      written.set(id, message)
      return { ...message, contextId: context.id }
    })
    const branch = { branchId, branchName: name, headId: standsAt }
    steps.push(...planTurn({ branch, messages, contextId: context.id }).steps)
  }
  for (const { name, at: key } of checkpoints) {
    steps.push(...planCheckpoint({ name, messageId: need(ids, key), newId: ports.newId }))
  }
  steps.push(...planSwitch(need(branchIds, opensOn)).steps)

  const create = { userId: ownerId, title, metadata: { sample: true }, branchId: need(branchIds, 'main') }
  // the sample as a whole is no move: there is nothing before it to go back to
  const made = steps.filter(({ kind }) => kind !== 'mark-move')
  await ports.store.commit({ chatId, ownerId, at, create, contexts: [context], steps: made })
  return { chatId }
}

function need(ids: ReadonlyMap<string, string>, key: string): string {
  const id = ids.get(key)
  if (id === undefined) throw new Error(`The sample names "${key}" before it is said`)
  return id
}
