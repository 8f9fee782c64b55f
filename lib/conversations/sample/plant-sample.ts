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
import type { ChatId, UserId } from '@/lib/events'
import type { Ports } from '../ports'
import { contextFor } from '../turns/context-value'
import { lisbon, type SampleBranch, type SampleScript } from './lisbon'

/** Between two messages of the sample, in milliseconds. */
const PACE = 45_000

/** Makes the sample conversation a chat of this person, in one write, and answers its id. */
export async function plantSample(
  ports: Ports,
  ownerId: UserId,
  script: SampleScript = lisbon,
): Promise<{ chatId: ChatId }> {
  const chatId = ports.newId()
  const at = ports.clock()
  const context = contextFor(ports.models.defaultId, null)
  const ids = new Map<string, string>()
  const branchIds = new Map(script.branches.map((branch) => [branch.name, ports.newId()]))
  const count = script.branches.reduce((sum, branch) => sum + branch.says.length, 0)
  const idOf = (key: string) => need(ids.get(key), key)
  const branchIdOf = (name: string) => need(branchIds.get(name), name)

  const steps: Step[] = []
  for (const { name, at: key, instead, says } of script.branches) {
    const branchId = branchIdOf(name)
    const headId = key === undefined ? null : idOf(key)
    const fork = { name, after: name, activate: false, newId: () => branchId }
    if (instead !== undefined) {
      const edited = { id: idOf(instead), parentId: headId }
      steps.push(...planEdit({ ...fork, edited, messages: [] }).steps)
    } else if (headId !== null) steps.push(...planFork({ ...fork, messageId: headId }).steps)
    const messages = says.map((say): NewMessage => {
      const id = ports.newId()
      const createdAt = at - (count - ids.size) * PACE
      ids.set(say[0], id)
      return sampleMessage(say, id, createdAt, context.id, context.model)
    })
    const branch = { branchId, branchName: name, headId }
    steps.push(...planTurn({ branch, messages, contextId: context.id }).steps)
  }
  for (const { name, at: key } of script.checkpoints) {
    steps.push(...planCheckpoint({ name, messageId: idOf(key), newId: ports.newId }))
  }
  steps.push(...planSwitch(branchIdOf(script.opensOn)).steps)

  const { title } = script
  const create = { userId: ownerId, title, metadata: { sample: true }, branchId: branchIdOf('main') }
  await ports.store.commit({ chatId, ownerId, at, create, contexts: [context], steps })
  return { chatId }
}

function sampleMessage(
  [, by, text]: SampleBranch['says'][number],
  id: string,
  createdAt: number,
  contextId: string,
  model: string | null,
): NewMessage {
  const metadata = { createdAt, model: by === 'assistant' ? model : undefined }
  const data = { id, role: by, parts: [{ type: 'text', text }], metadata }
  return {
    id,
    name: by,
    type: 'message',
    data,
    preview: messagePreview(data),
    contextId,
    createdAt,
    reply: by === 'assistant' ? { model, usage: null } : undefined,
  }
}

function need(id: string | undefined, key: string): string {
  if (id === undefined) throw new Error(`The sample names "${key}" before it is said`)
  return id
}
