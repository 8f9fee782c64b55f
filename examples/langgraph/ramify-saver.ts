import { createHash } from 'node:crypto'
import type { RunnableConfig } from '@langchain/core/runnables'
import {
  BaseCheckpointSaver,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointPendingWrite,
  type CheckpointTuple,
  compareWritesSortKeys,
  getCheckpointId,
  maxChannelVersion,
  type PendingWrite,
  TASKS,
  WRITES_IDX_MAP,
  writesSortKey,
} from '@langchain/langgraph-checkpoint'
import { type ContextStore, type MessageData, MessageExistsError } from '@ramify/context'
import { newId } from '@ramify/context/log'

/** A value as the serialiser of LangGraph writes it: its type, and text or base64. */
type Stored = [type: string, text: string]

/** A checkpoint is a message. It keeps the channels that are new in it; the others stand in its chain. */
interface CheckpointBody {
  checkpoint: Stored
  metadata: Stored
  parentId: string | undefined
  values: Record<string, Stored>
}

/** The writes of one task are a message below the checkpoint that they belong to. */
interface WritesBody {
  checkpointId: string
  taskId: string
  taskPath: string
  writes: [channel: string, value: Stored][]
}

interface Place {
  thread_id: string
  checkpoint_ns: string
}

const isCheckpoint = ({ name }: MessageData) => name === 'checkpoint'
const checkpointOf = ({ data }: MessageData) => data as CheckpointBody
const writesOf = (messages: readonly MessageData[], checkpointId: string | undefined) =>
  messages
    .filter((message) => !isCheckpoint(message))
    .map(({ id, data }) => ({ id, ...(data as WritesBody) }))
    .filter((writes) => writes.checkpointId === checkpointId)
    .sort((a, b) => (a.id < b.id ? -1 : 1))

/** A thread, or a namespace of it, is a chat. */
const chatOf = ({ thread_id, checkpoint_ns }: Place) =>
  createHash('sha256')
    .update(JSON.stringify([thread_id, checkpoint_ns]))
    .digest('hex')

function placeOf({ configurable = {} }: RunnableConfig): Place {
  const { thread_id, checkpoint_ns = '' } = configurable
  if (thread_id === undefined) throw new Error('The config names no thread_id')
  return { thread_id, checkpoint_ns }
}

/**
 * A checkpointer of LangGraph on the engine: a thread that goes on from an earlier checkpoint is a branch.
 *
 * @example const graph = workflow.compile({ checkpointer: new RamifySaver(store, 'ada') })
 */
export class RamifySaver extends BaseCheckpointSaver {
  constructor(
    private readonly store: ContextStore,
    private readonly userId: string,
  ) {
    super()
  }

  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    if (config.configurable?.thread_id === undefined) return undefined
    const place = placeOf(config)
    const chatId = chatOf(place)
    const { nodes, owners } = await this.#graph(chatId)
    const ids = nodes.filter(({ role }) => role === 'checkpoint').map(({ id }) => id)
    const id = getCheckpointId(config) || ids.sort().at(-1)
    if (id === undefined || !ids.includes(id)) return undefined
    const chain = await this.store.getMessageChain(chatId, id)
    const own = chain.at(-1)
    const wanted = [id, own && checkpointOf(own).parentId]
    const beside = nodes.filter((node) => node.role === 'writes' && wanted.includes(owners.get(node.id)))
    const written = await this.store.getMessagesById(
      chatId,
      beside.map((node) => node.id),
      null,
    )
    const missing = written.filter((message) => !chain.some((one) => one.id === message.id))
    return this.#tuple(place, id, [...chain, ...missing])
  }

  override async *list(
    config: RunnableConfig,
    { before, limit = Number.POSITIVE_INFINITY, filter = {} }: CheckpointListOptions = {},
  ): AsyncGenerator<CheckpointTuple> {
    const { thread_id, checkpoint_ns, checkpoint_id } = config.configurable ?? {}
    const end: string | undefined = before?.configurable?.checkpoint_id
    let left = limit
    for (const { id: chatId, metadata } of await this.#chats(thread_id)) {
      const place = placeOf({ configurable: metadata })
      if (checkpoint_ns !== undefined && place.checkpoint_ns !== checkpoint_ns) continue
      const messages = await this.store.getMessages(chatId)
      const ids = messages.filter(isCheckpoint).map(({ id }) => id)
      for (const id of ids.sort().reverse()) {
        if (left <= 0) return
        if ((checkpoint_id && id !== checkpoint_id) || (end !== undefined && id >= end)) continue
        const tuple = await this.#tuple(place, id, messages)
        const said: Record<string, unknown> = { ...tuple.metadata }
        if (Object.entries(filter).some(([key, value]) => said[key] !== value)) continue
        left--
        yield tuple
      }
    }
  }

  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<RunnableConfig> {
    const place = placeOf(config)
    const { channel_values, ...rest } = checkpoint
    const news = Object.keys(newVersions).filter((channel) => channel_values[channel] !== undefined)
    const data: CheckpointBody = {
      checkpoint: await this.#dump(rest),
      metadata: await this.#dump(metadata),
      parentId: config.configurable?.checkpoint_id,
      values: Object.fromEntries(
        await Promise.all(
          news.map(async (channel) => [channel, await this.#dump(channel_values[channel])] as const),
        ),
      ),
    }
    await this.#add(place, data.parentId, { id: checkpoint.id, name: 'checkpoint', data })
    return { configurable: { ...place, checkpoint_id: checkpoint.id } }
  }

  override async putWrites(
    config: RunnableConfig,
    writes: PendingWrite[],
    taskId: string,
    taskPath = '',
  ): Promise<void> {
    const checkpointId = getCheckpointId(config)
    if (!checkpointId) throw new Error('The config names no checkpoint_id')
    const dumped = writes.map(
      async ([channel, value]): Promise<[string, Stored]> => [channel, await this.#dump(value)],
    )
    const data: WritesBody = { checkpointId, taskId, taskPath, writes: await Promise.all(dumped) }
    await this.#add(placeOf(config), checkpointId, { id: newId(), name: 'writes', data })
  }

  override async deleteThread(threadId: string): Promise<void> {
    const chats = await this.#chats(threadId)
    await Promise.all(chats.map(({ id }) => this.store.deleteChat(id)))
  }

  #chats(threadId: string | undefined) {
    const metadata = threadId === undefined ? {} : { metadata: { key: 'thread_id', value: threadId } }
    return this.store.listChats({ userId: this.userId, ...metadata })
  }

  /** The graph of a chat, parents first, and of each message the checkpoint that it is or belongs to. */
  async #graph(chatId: string) {
    const { nodes } = await this.store.getGraph(chatId)
    const owners = new Map<string, string | undefined>()
    for (const { id, parentId, role } of nodes)
      owners.set(id, role === 'checkpoint' ? id : owners.get(parentId ?? ''))
    return { nodes, owners }
  }

  /** Adds a message below the last one of a checkpoint. A checkpoint that is there already stays as it is. */
  async #add(
    place: Place,
    checkpointId: string | undefined,
    message: Pick<MessageData, 'id' | 'name' | 'data'>,
  ): Promise<void> {
    const chatId = chatOf(place)
    await this.store.openChat({ id: chatId, userId: this.userId, metadata: { ...place } })
    const { nodes, owners } = await this.#graph(chatId)
    const last = nodes.findLast(({ id }) => owners.get(id) === checkpointId)
    const parentId = checkpointId === undefined ? null : (last?.id ?? null)
    try {
      await this.store.addMessage(chatId, { ...message, parentId, createdAt: Date.now() })
    } catch (error) {
      if (!(error instanceof MessageExistsError)) throw error
    }
  }

  /** A checkpoint out of messages that hold its chain, its writes and those of its parent. */
  async #tuple(place: Place, id: string, messages: readonly MessageData[]): Promise<CheckpointTuple> {
    const byId = new Map(messages.map((message) => [message.id, message]))
    const chain: CheckpointBody[] = []
    for (let at = byId.get(id); at; at = byId.get(at.parentId ?? '')) {
      if (isCheckpoint(at)) chain.push(checkpointOf(at))
    }
    const [body] = chain
    if (!body) throw new Error(`There is no checkpoint "${id}"`)
    const { parentId } = body
    const checkpoint: Checkpoint = { ...(await this.#load(body.checkpoint)), channel_values: {} }
    for (const channel of Object.keys(checkpoint.channel_versions)) {
      const found = chain.find(({ values }) => values[channel])?.values[channel]
      if (found) checkpoint.channel_values[channel] = await this.#load(found)
    }
    if (checkpoint.v < 4 && parentId !== undefined) {
      const sends = (await this.#writes(messages, parentId)).filter(([, channel]) => channel === TASKS)
      checkpoint.channel_values[TASKS] = sends.map(([, , value]) => value)
      const versions = Object.values(checkpoint.channel_versions)
      checkpoint.channel_versions[TASKS] =
        versions.length > 0 ? maxChannelVersion(...versions) : this.getNextVersion(undefined)
    }
    const at = (checkpoint_id: string) => ({ configurable: { ...place, checkpoint_id } })
    return {
      config: at(id),
      checkpoint,
      metadata: await this.#load(body.metadata),
      pendingWrites: await this.#writes(messages, id),
      ...(parentId !== undefined && { parentConfig: at(parentId) }),
    }
  }

  /** The writes of a checkpoint in LangGraph's order; said again by a task, those with a place of their own count anew. */
  async #writes(messages: readonly MessageData[], checkpointId: string): Promise<CheckpointPendingWrite[]> {
    const kept = new Map<string, { key: ReturnType<typeof writesSortKey>; write: [string, string, Stored] }>()
    for (const { taskId, taskPath, writes } of writesOf(messages, checkpointId)) {
      for (const [index, [channel, value]] of writes.entries()) {
        const place = WRITES_IDX_MAP[channel] ?? index
        const name = JSON.stringify([taskId, place])
        if (place >= 0 && kept.has(name)) continue
        kept.set(name, { key: writesSortKey(taskPath, taskId, place), write: [taskId, channel, value] })
      }
    }
    const sorted = [...kept.values()].sort((a, b) => compareWritesSortKeys(a.key, b.key))
    return Promise.all(
      sorted.map(async ({ write: [taskId, channel, value] }) => [taskId, channel, await this.#load(value)]),
    )
  }

  async #dump(value: unknown): Promise<Stored> {
    const [type, bytes] = await this.serde.dumpsTyped(value)
    return [type, Buffer.from(bytes).toString(type === 'json' ? 'utf8' : 'base64')]
  }

  #load([type, text]: Stored) {
    return this.serde.loadsTyped(type, Buffer.from(text, type === 'json' ? 'utf8' : 'base64'))
  }
}
