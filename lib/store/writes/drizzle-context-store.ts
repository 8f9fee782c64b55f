import {
  type AgentNode,
  type BranchChain,
  type BranchData,
  type Change,
  type ChatData,
  type ChatInfo,
  type CheckpointData,
  type Committed,
  ContextStore,
  checkChange,
  type GraphData,
  type ListChatsOptions,
  type MergeBase,
  type MessageData,
  type MessageOfChain,
  type MovesOptions,
  NotFoundError,
  type SearchResult,
  type StoredMove,
} from '@/lib/context'
import { type Database, type OpenOptions, openDatabase, schema } from '@/lib/db'
import { type LoggedEvent, newId, type StoredEvent, upcast } from '@/lib/events'
import { type Counting, quotaJson, refusedBy, takenByModel } from '../access/quota'
import { changeAsked } from '../commit/asked'
import { ChangeWriter } from '../commit/change-writer'
import { asking, isStorable } from '../reads/asking'
import { branchChainSql, messageAt, messageColumns, recorded } from '../reads/chain-sql'
import { mergeBase, messagesById } from '../reads/merge-base'
import { messageChain } from '../reads/message-chain'
import { activeBranch, branchCalled, branchesOf, checkpointsOf } from '../reads/refs'
import {
  type BranchRow,
  eventColumns,
  inOrder,
  type MessageRow,
  takeHead,
  toBranch,
  toMessage,
} from '../reads/rows'
import { storedChat, storedChats } from '../reads/stored-chats'
import { storedMoves } from '../reads/stored-moves'
import { indexSearch } from '../search/search-index'
import { hasNews, wordsOf } from '../search/search-sql'
import { snippetOfMessage } from '../search/snippets'
import { DatabaseRuns } from './database-runs'
import { refusalOf } from './refusals'

const { user } = schema

/** Chats that a store remembers to index at most; a search indexes the rest. */
const UNINDEXED = 10_000

/** The context store on Postgres or embedded PGlite; one schema, one set of statements. */
export class DrizzleContextStore extends ContextStore {
  /** chats that hold messages which may not be searchable yet */
  #unindexed = new Set<string>()
  readonly #ask: Database['query']
  override readonly runs: DatabaseRuns

  /**
   * @param onCommitted called with a chat's id after everything that was written to it, its deletion too
   * @param counting the limits that every change is counted against; without it nothing is
   */
  constructor(
    readonly database: Database,
    private readonly onCommitted: (chatId: string) => void = () => undefined,
    private readonly counting?: Counting,
  ) {
    super()
    this.#ask = asking(database)
    this.runs = new DatabaseRuns(this, database)
  }

  /** This store, counting writes through it for a network address too. */
  countingFor(address: string): DrizzleContextStore {
    if (!this.counting) return this
    const store = new DrizzleContextStore(this.database, this.onCommitted, { ...this.counting, address })
    store.#unindexed = this.#unindexed
    return store
  }

  /** Opens (and migrates) a store: Postgres by `url`, else embedded in `dataDir`, `memory://` for tests. */
  static async open(options: { url?: string; dataDir?: string } = {}): Promise<DrizzleContextStore> {
    const target: OpenOptions = options.url ? { url: options.url } : { dataDir: options.dataDir ?? '.data' }
    return new DrizzleContextStore(await openDatabase(target))
  }

  close(): Promise<void> {
    return this.database.close()
  }

  override commit(change: Change): Promise<Committed> {
    return this.#write(change)
  }

  /**
   * Applies a change that makes a chat which its owner calls `alias`, and which has a key of its own since another person's
   * chat has that one. Rejects as `commit`, and with `HeadConflictError` when the owner has a chat of this name.
   */
  commitCalled(change: Change & Required<Pick<Change, 'create'>>, alias: string): Promise<Committed> {
    return this.#write({ ...change, create: { ...change.create, alias } })
  }

  async #write(change: Change & { create?: { alias?: string } }): Promise<Committed> {
    checkChange(change)
    try {
      const done = await ChangeWriter.of(this.database).write(
        change.chatId,
        changeAsked(change, this.counting),
      )
      if (done.repeated) throw new Error('A change without a key was carried out before')
      if (change.steps.some(({ kind }) => kind === 'append')) this.noteWritten(change.chatId)
      else this.onCommitted(change.chatId)
      return done.committed
    } catch (error) {
      throw await refusedBy(this.counting, this.database, error)
    }
  }

  /** Takes in that messages were written to a chat, through this store or beside it. */
  noteWritten(chatId: string): void {
    if (this.#unindexed.size < UNINDEXED) this.#unindexed.add(chatId)
    this.onCommitted(chatId)
  }

  /**
   * Counts the use of a model whose answer is not stored: its call before it is asked, and its tokens after.
   *
   * @throws QuotaExceededError for a call beyond a limit
   */
  async spend(chatId: string, use: { calls: number; tokens: number }): Promise<void> {
    if (!this.counting) return
    const asked = quotaJson(takenByModel(use), this.counting)
    try {
      await this.database.query('select take_quota($1, false, $2::json)', [chatId, asked])
    } catch (error) {
      throw await refusedBy(this.counting, this.database, refusalOf(error))
    }
  }

  override async upsertChat(chat: {
    id: string
    userId: string
    title?: string
    metadata?: Record<string, unknown>
  }): Promise<ChatData> {
    const stored = await this.getChat(chat.id)
    if (stored) return stored
    const { id, ...create } = chat
    const change: Change = {
      chatId: id,
      at: Date.now(),
      create: { ...create, branchId: newId() },
      steps: [],
    }
    checkChange(change) // before anything is written, the owner included
    await this.#ensureUser(chat.userId)
    await this.commit(change)
    const created = await this.getChat(id)
    if (!created) throw new Error(`Chat "${id}" was deleted meanwhile`)
    return created
  }

  override getChat(chatId: string): Promise<ChatData | undefined> {
    return storedChat(this.#ask, chatId)
  }

  override listChats(options: ListChatsOptions = {}): Promise<ChatInfo[]> {
    return storedChats(this.#ask, options)
  }

  override async deleteChat(chatId: string, options: { userId?: string } = {}): Promise<boolean> {
    const gone = await this.#ask(
      'delete from chats where id = $1 and ($2::text is null or user_id = $2) returning id',
      [chatId, options.userId ?? null],
    )
    if (gone.length > 0) this.onCommitted(chatId)
    return gone.length > 0
  }

  override async getMessage(chatId: string, messageId: string): Promise<MessageData | undefined> {
    const [row] = await this.#ask<MessageRow>(
      `select ${messageColumns} from messages m where m.chat_id = $1 and m.id = $2`,
      [chatId, messageId],
    )
    return row && toMessage(chatId, row)
  }

  override async isMessageElsewhere(chatId: string, messageId: string): Promise<boolean> {
    const rows = await this.#ask(
      `select 1 from chats c join chats o on o.user_id = c.user_id and o.id <> c.id
      join messages m on m.chat_id = o.id and m.id = $2 where c.id = $1 limit 1`,
      [chatId, messageId],
    )
    return rows.length > 0
  }

  override async getMessageChain(
    chatId: string,
    headId: string,
    options: { last?: number } = {},
  ): Promise<MessageData[]> {
    return messageChain(this.#ask, chatId, headId, options.last)
  }

  override async getMessages(chatId: string): Promise<MessageData[]> {
    const rows = await this.#ask<MessageRow>(
      `select ${messageColumns} from events e cross join ${recorded} m
      where e.chat_id = $1 and e.message_id is not null order by e.seq`,
      [chatId],
    )
    if (rows.length === 0 && !(await this.getChat(chatId))) throw new NotFoundError('chat', chatId)
    return rows.map((row) => toMessage(chatId, row))
  }

  override async countChain(chatId: string, messageId: string): Promise<number> {
    const [row] = await this.#ask<{ depth: number }>(
      'select depth from messages where chat_id = $1 and id = $2',
      [chatId, messageId],
    )
    return row ? row.depth + 1 : 0
  }

  override async hasChildren(chatId: string, messageId: string): Promise<boolean> {
    // the first reply is right below; when that place is empty there is no other
    const rows = await this.#ask(
      `select 1 from messages p join messages c on c.chat_id = p.chat_id and c.lane = p.lane and c.depth = p.depth + 1
      where p.chat_id = $1 and p.id = $2`,
      [chatId, messageId],
    )
    return rows.length > 0
  }

  override async getMessagesById(
    chatId: string,
    messageIds: readonly string[],
    headId: string | null,
  ): Promise<MessageOfChain[]> {
    return messagesById(this.#ask, chatId, messageIds.filter(isStorable), headId)
  }

  override async getMergeBase(
    chatId: string,
    sourceHead: string,
    targetHead: string | null,
  ): Promise<MergeBase> {
    return mergeBase(this.#ask, chatId, sourceHead, targetHead)
  }

  override listBranches(chatId: string): Promise<BranchData[]> {
    return branchesOf(this.#ask, chatId)
  }

  override getBranch(chatId: string, nameOrId: string): Promise<BranchData | undefined> {
    return branchCalled(this.#ask, chatId, nameOrId)
  }

  override getActiveBranch(chatId: string): Promise<BranchData | undefined> {
    return activeBranch(this.#ask, chatId)
  }

  override async getBranchChain(chatId: string, nameOrId?: string): Promise<BranchChain | undefined> {
    const rows = await this.#ask<Pick<MessageRow, 'depth' | 'data'>>(branchChainSql, [
      chatId,
      nameOrId ?? null,
    ])
    const head = takeHead(rows)
    return head && { branch: toBranch(head.data as BranchRow), chain: inOrder(rows) }
  }

  override async listCheckpoints(chatId: string): Promise<CheckpointData[]> {
    return (await checkpointsOf(this.#ask, chatId)).reverse()
  }

  override async getCheckpoint(chatId: string, name: string): Promise<CheckpointData | undefined> {
    return (await checkpointsOf(this.#ask, chatId, name))[0]
  }

  override async getMoves(chatId: string, options: MovesOptions): Promise<StoredMove[]> {
    const moves = await storedMoves(this.#ask, chatId, options)
    if (moves === undefined) throw new NotFoundError('chat', chatId)
    return moves
  }

  override async findAgentNode(
    ownerId: string,
    hashes: readonly string[],
    options: { chatId?: string | undefined } = {},
  ): Promise<AgentNode | undefined> {
    const [row] = await this.#ask<{ node: AgentNode | null }>(
      `select find_agent_node($1, string_to_array($2, ' '), $3) as node`,
      [ownerId, hashes.join(' '), options.chatId ?? null],
    )
    return row?.node ?? undefined
  }

  override async searchMessages(
    chatId: string,
    query: string,
    options: { roles?: string[]; limit?: number } = {},
  ): Promise<SearchResult[]> {
    const [asked] = await this.#ask<{
      wanted: string | null
      any: string
      lexemes: string[]
      lagging: boolean
    }>(
      `select wanted::text as wanted, "any"::text as "any", lexemes,
        ${hasNews('$2', '(select seq from search_progress where chat_id = $2)')} as lagging
      from (${wordsOf('$1')}) words`,
      [query, chatId],
    )
    if (!asked || asked.wanted === null) return []
    if (asked.lagging) await this.#indexSearch(chatId)
    const rows = await this.#ask<MessageRow & { rank: number }>(
      // the messages themselves are read of the best only
      `select ${messageColumns}, best.rank from (
        select s.lane, s.depth, ts_rank(s.words, $5::tsquery)::float8 as rank from message_search s
        where s.chat_id = $1 and s.words @@ $2::tsquery and ($3::text[] is null or exists (select 1 from messages m
          where m.chat_id = s.chat_id and m.lane = s.lane and m.depth = s.depth and m.name = any ($3)))
        order by rank desc fetch first ($4::int) rows with ties) best
      cross join ${messageAt('$1', 'best.lane', 'best.depth')} m
      order by best.rank desc, m.created_at desc limit $4`,
      [chatId, asked.wanted, options.roles ?? null, options.limit ?? 50, asked.any],
    )
    return rows.map(({ rank, ...row }) => ({
      message: toMessage(chatId, row),
      rank,
      snippet: snippetOfMessage(row.data, asked.lexemes),
    }))
  }

  override async getGraph(chatId: string): Promise<GraphData> {
    const [nodes, allBranches, checkpoints] = await Promise.all([
      this.#ask<GraphData['nodes'][number]>(
        `select id, parent_id as "parentId", name as role, preview as content, epoch_ms(created_at) as "createdAt"
        from messages where chat_id = $1 order by lane, depth`,
        [chatId],
      ),
      this.listBranches(chatId),
      checkpointsOf(this.#ask, chatId),
    ])
    return {
      chatId,
      nodes,
      branches: allBranches.map(({ name, headMessageId, isActive }) => ({ name, headMessageId, isActive })),
      checkpoints: checkpoints.map(({ name, messageId }) => ({ name, messageId })),
    }
  }

  override async getEvents(
    chatId: string,
    options: { after?: number; streamId?: string } = {},
  ): Promise<LoggedEvent[]> {
    const rows = await this.#ask<StoredEvent>(
      `select ${eventColumns} from events e
      where chat_id = $1 and seq > $2 and ($3::text is null or stream_id = $3) order by e.seq`,
      [chatId, options.after ?? 0, options.streamId ?? null],
    )
    return rows.map(upcast)
  }

  /**
   * Indexes the messages stored since the last call: searches need not wait for that. A chat that fails is tried again by
   * the next call, or by the next search of it. Returns the number of messages.
   */
  async indexPending(): Promise<number> {
    let count = 0
    for (const chatId of [...this.#unindexed]) {
      this.#unindexed.delete(chatId)
      try {
        count += await this.#indexSearch(chatId)
      } catch (error) {
        this.#unindexed.add(chatId)
        throw error
      }
    }
    return count
  }

  async #indexSearch(chatId: string): Promise<number> {
    return (await indexSearch(this.database.query, [chatId])).messages
  }

  /** A library caller's owner is a user without credentials; a signed-in user exists already. */
  async #ensureUser(id: string): Promise<void> {
    await this.database.orm
      .insert(user)
      .values({ id, name: id, email: `${id}@users.invalid` })
      .onConflictDoNothing()
  }
}
