import {
  messagePreview,
  type NewMessage,
  planArchive,
  planCheckpoint,
  planEdit,
  planFork,
  planSwitch,
  planTurn,
  type Step,
} from '@/lib/context'
import type { Ports } from '@/lib/conversations'
import { contextFor } from '@/lib/conversations/turns/context-value'

/** A message of a given chat: the person's when it is first or follows a reply, else a reply. */
interface GivenMessage {
  id?: string
  /** other than what follows from its place */
  role?: 'assistant' | 'tool' | 'system' | 'user'
  /** its words, or its parts */
  says: string | readonly object[]
  /** a partial reply */
  status?: 'stopped' | 'failed'
  model?: string
  /** more of what is stored beside the parts: `usage`, `durations`, … */
  metadata?: { usage?: NonNullable<NewMessage['reply']>['usage'] } & object
}

/** A branch of a given chat. */
export interface GivenBranch {
  name: string
  /** the message that it opens at */
  at?: string
  /** the message that its first one is an edit of */
  instead?: string
  /** words alone are a message without a chosen id */
  says: readonly (string | GivenMessage)[]
  archived?: boolean
}

/** A chat that a test begins with. */
export interface GivenChat {
  title?: string
  /** the model of its branches; the demo model unless given */
  model?: string
  branches: readonly GivenBranch[]
  /** message ids by the names of their checkpoints */
  checkpoints?: Readonly<Record<string, string>>
  /** the branch that the chat opens on; the last one unless given */
  opensOn?: string
  /** what the program of the agent calls itself that writes on its first branch */
  agent?: string
}

/** Between two messages, in ms. */
const PACE = 45_000

/** Stores a chat in one write. A person has one chat of these ids; returns its id. */
export async function plantChat(ports: Ports, ownerId: string, given: GivenChat): Promise<string> {
  const { branches, checkpoints = {}, opensOn = branches.at(-1)?.name ?? 'main' } = given
  const chatId = ports.newId()
  const at = ports.clock()
  const context = contextFor(given.model ?? ports.models.defaultId, null)
  const branchIds = new Map(branches.map(({ name }) => [name, ports.newId()]))
  const parents = new Map<string, string | null>()
  const byPerson = new Set<string | null>()
  const steps: Step[] = []
  let left = branches.reduce((sum, { says }) => sum + says.length, 0)

  for (const { name, at: opensAt, instead, says } of branches) {
    const branchId = need(branchIds, name)
    const fork = { name, after: name, activate: false, newId: () => branchId }
    const headId = instead === undefined ? (opensAt ?? null) : (parents.get(instead) ?? null)
    if (instead !== undefined) {
      steps.push(...planEdit({ ...fork, edited: { id: instead, parentId: headId }, messages: [] }).steps)
    } else if (opensAt !== undefined) steps.push(...planFork({ ...fork, messageId: opensAt }).steps)
    let above = headId
    const messages = says.map((said): NewMessage => {
      const {
        id = ports.newId(),
        role: given,
        says,
        status,
        model = context.model,
        metadata,
      } = asMessage(said)
      const createdAt = at - left-- * PACE
      const isReply = given === undefined ? byPerson.has(above) : given === 'assistant' || given === 'tool'
      if (!isReply) byPerson.add(id)
      parents.set(id, above)
      above = id
      // the answers of tools are stored as parts of a reply
      const role = isReply ? 'assistant' : given === 'system' ? 'system' : 'user'
      const name = given ?? role
      const parts = typeof says === 'string' ? [{ type: 'text', text: says }] : says
      const data = {
        id,
        role,
        parts,
        metadata: { createdAt, status, ...(isReply && { model }), ...metadata },
      }
      const reply =
        name === 'assistant' ? { model: model ?? null, usage: metadata?.usage ?? null } : undefined
      const preview = messagePreview(data)
      return {
        id,
        name,
        type: 'message',
        data,
        preview,
        status,
        createdAt,
        reply,
        contextId: context.id,
      }
    })
    if (messages.length > 0) {
      const branch = { branchId, branchName: name, headId }
      steps.push(...planTurn({ branch, messages, contextId: context.id }).steps)
    }
  }
  for (const [name, messageId] of Object.entries(checkpoints)) {
    steps.push(...planCheckpoint({ name, messageId, newId: ports.newId }))
  }
  steps.push(...planSwitch(need(branchIds, opensOn)).steps)
  const lastId = [...parents.keys()].at(-1)
  if (given.agent !== undefined && lastId !== undefined) {
    const agent = { branchId: need(branchIds, branches[0]?.name ?? 'main'), client: given.agent }
    const nodes = [{ hash: ports.newId().replaceAll('-', ''), messageId: lastId }]
    steps.push({ kind: 'keep-nodes', nodes, agent })
  }
  for (const { name, archived } of branches) if (archived) steps.push(...planArchive(need(branchIds, name)))

  const first = branches[0]
  if (!first) throw new Error('A chat has a branch')
  const create = {
    userId: ownerId,
    title: given.title,
    branchName: first.name,
    branchId: need(branchIds, first.name),
    contextId: context.id,
  }
  // what a chat begins with is no move: Undo finds what the test does
  const made = steps.filter(({ kind }) => kind !== 'mark-move')
  await ports.store.commit({ chatId, ownerId, at, create, contexts: [context], steps: made })
  return chatId
}

const asMessage = (said: string | GivenMessage): GivenMessage =>
  typeof said === 'string' ? { says: said } : said

function need(ids: ReadonlyMap<string, string>, name: string): string {
  const id = ids.get(name)
  if (id === undefined) throw new Error(`No branch is called "${name}"`)
  return id
}
