import type { Change, NewMessage, Step } from '@/lib/context'
import { messagePreview } from '@/lib/context'
import type { ChatId, UserId } from '@/lib/events'
import type { Ports } from '../ports'
import { contextFor } from '../turns/context-value'
import { lisbon } from './lisbon'
import type { SampleBranch, SampleScript } from './script'

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
  for (const branch of script.branches) {
    const branchId = branchIdOf(branch.name)
    const head = branch.at === undefined ? null : idOf(branch.at)
    const fork = branch.instead ?? branch.at
    if (fork !== undefined) {
      steps.push({
        kind: 'open-branch',
        branchId,
        name: branch.name,
        after: branch.name,
        at: head,
        fork: { messageId: idOf(fork), ...(branch.instead ? { before: true } : {}) },
        activate: false,
      })
    }
    steps.push({
      kind: 'append',
      branchId,
      expectedHead: head,
      contextId: context.id,
      messages: branch.says.map((say): NewMessage => {
        const id = ports.newId()
        const createdAt = at - (count - ids.size) * PACE
        ids.set(say[0], id)
        return sampleMessage(say, id, createdAt, context.id, context.model)
      }),
    })
  }
  for (const { name, at: key } of script.checkpoints) {
    steps.push({ kind: 'save-checkpoint', checkpointId: ports.newId(), name, messageId: idOf(key) })
  }
  steps.push({ kind: 'switch-branch', branchId: branchIdOf(script.opensOn) })

  const change: Change = {
    chatId,
    ownerId,
    at,
    create: {
      userId: ownerId,
      title: script.title,
      metadata: { sample: true },
      branchId: branchIdOf('main'),
    },
    contexts: [context],
    steps,
  }
  await ports.store.commit(change)
  return { chatId }
}

function sampleMessage(
  [, by, text]: SampleBranch['says'][number],
  id: string,
  createdAt: number,
  contextId: string,
  model: string | null,
): NewMessage {
  const metadata = { createdAt, ...(by === 'assistant' ? { model } : {}) }
  const data = { id, role: by, parts: [{ type: 'text', text }], metadata }
  return {
    id,
    name: by,
    type: 'message',
    data,
    preview: messagePreview(data),
    contextId,
    createdAt,
    ...(by === 'assistant' ? { reply: { model, usage: null } } : {}),
  }
}

function need(id: string | undefined, key: string): string {
  if (id === undefined) throw new Error(`The sample names "${key}" before it is said`)
  return id
}
