import {
  messagePreview,
  type NewMessage,
  planCheckpoint,
  planEdit,
  planFork,
  planSwitch,
  planTurn,
  type Step,
} from '@/lib/context'
import type { ChatId, MessageId, UserId } from '@/lib/events'
import type { Ports } from '../ports'
import { contextFor } from '../turns/context-value'
import { lisbon } from './lisbon'

/** Between two messages of the sample, in milliseconds. */
const PACE = 45_000

/** Makes the sample conversation a chat of this person, in one write. */
export async function plantSample(ports: Ports, ownerId: UserId): Promise<{ chatId: ChatId }> {
  const { title, branches, checkpoints, opensOn } = lisbon
  const chatId = ports.newId()
  const at = ports.clock()
  const context = contextFor(ports.models.defaultId, null)
  const ids = new Map<string, MessageId>()
  const byPerson = new Set<MessageId | null>()
  const branchIds = new Map(branches.map(({ name }) => [name, ports.newId()]))
  const count = branches.reduce((sum, { says }) => sum + Object.keys(says).length, 0)

  const steps: Step[] = []
  for (const { name, at: key, instead, says } of branches) {
    const branchId = need(branchIds, name)
    const headId = key === undefined ? null : need(ids, key)
    const fork = { name, after: name, activate: false, newId: () => branchId }
    if (instead !== undefined) {
      const edited = { id: need(ids, instead), parentId: headId }
      steps.push(...planEdit({ ...fork, edited, messages: [] }).steps)
    } else if (headId !== null) steps.push(...planFork({ ...fork, messageId: headId }).steps)
    let above = headId
    const messages = Object.entries(says).map(([key, text]): NewMessage => {
      const id = ports.newId()
      const createdAt = at - (count - ids.size) * PACE
      const reply = byPerson.has(above) ? { model: context.model, usage: null } : undefined
      if (!reply) byPerson.add(id)
      ids.set(key, id)
      above = id
      const role = reply ? 'assistant' : 'user'
      const data = { id, role, parts: [{ type: 'text', text }], metadata: { createdAt, model: reply?.model } }
      const preview = messagePreview(data)
      return { id, name: role, type: 'message', data, preview, contextId: context.id, createdAt, reply }
    })
    const branch = { branchId, branchName: name, headId }
    steps.push(...planTurn({ branch, messages, contextId: context.id }).steps)
  }
  for (const { name, at: key } of checkpoints) {
    steps.push(...planCheckpoint({ name, messageId: need(ids, key), newId: ports.newId }))
  }
  steps.push(...planSwitch(need(branchIds, opensOn)).steps)

  const create = { userId: ownerId, title, metadata: { sample: true }, branchId: need(branchIds, 'main') }
  await ports.store.commit({ chatId, ownerId, at, create, contexts: [context], steps })
  return { chatId }
}

function need(ids: ReadonlyMap<string, string>, key: string): string {
  const id = ids.get(key)
  if (id === undefined) throw new Error(`The sample names "${key}" before it is said`)
  return id
}
