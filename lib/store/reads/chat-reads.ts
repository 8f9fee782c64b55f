import { setTimeout as pause } from 'node:timers/promises'
import type { BranchState, ContextData, FoundMessage, OwnAgent, PlacedMessage } from '@/lib/context'
import type { Database } from '@/lib/db'
import type { ChatFilter, Graph, GraphAgent, GraphDelta, History, Membership, TagCount } from '@/lib/protocol'
import { membershipOf } from '../access/members'
import { type SearchOptions, type StoredPage, searchMessages } from '../search/message-search'
import { type LineLimits, WorkLine } from '../work-line'
import { asking } from './asking'
import { compareBranches, type StoredComparison } from './branch-comparison'
import { messageColumns, windowSql } from './chain-sql'
import {
  chatSummary,
  countChats,
  type ListedChat,
  type ListedPage,
  type ListOptions,
  listChats,
  tagsOf,
} from './chat-list'
import { called, type StateRow, stateSql } from './chat-state-sql'
import { goneSql, readGraph } from './graph'
import { graphAgents, ownAgentsSql, recentAgentNames } from './graph-agents'
import { type MarkedLog, readMarked } from './marked-log'
import { type MovementRow, movementsSql, movingTypes, toMovement } from './movements'
import { inOrder, type MessageRow, publicId, takeHead, toMessage } from './rows'
import { askedSince, branchPoint } from './shared-prompts'

/** Searches at a time; the database has as many connections for them. */
const SEARCHES: LineLimits = {
  work: 'searches',
  perPerson: 1,
  inAll: 3,
  waitingPerPerson: 30,
  waitingInAll: 200,
}
/** The embedded database runs one statement at a time. */
const EMBEDDED_SEARCHES: LineLimits = { ...SEARCHES, inAll: 1 }
/** A statement shorter than this needs no pause, and none has a longer one; in ms. */
const [SHORT, LONGEST_PAUSE] = [10, 250]

/**
 * Reads for the pages and the turn, every statement scoped by the owner: another person's chat gives the same
 * `undefined` as a missing one.
 */
export class ChatReads {
  readonly #ask: Database['query']

  /** @param signal ends what is being read when it is aborted */
  constructor(
    private readonly database: Pick<Database, 'kind' | 'query'>,
    private readonly signal?: AbortSignal,
    private readonly searches = new WorkLine(database.kind === 'pglite' ? EMBEDDED_SEARCHES : SEARCHES),
  ) {
    this.#ask = asking(database, signal ? { signal } : {})
  }

  /** The same reads, for as long as their caller is there. */
  until(signal: AbortSignal): ChatReads {
    return new ChatReads(this.database, signal, this.searches)
  }

  /** The skeleton of a chat, without bodies; with `since`, only the messages and lanes written after that event. */
  graph(chatId: string, ownerId: string, since?: number): Promise<Graph | undefined> {
    return readGraph(this.#ask, chatId, ownerId, since === undefined ? {} : { since })
  }

  /** The skeleton of a chat; when more than `events` were written to it, without its messages. */
  graphUpTo(chatId: string, ownerId: string, events: number): Promise<Graph | undefined> {
    return readGraph(this.#ask, chatId, ownerId, { upTo: events })
  }

  /** Changes after event `since`; applied to the state read then, they give the present one. */
  async delta(chatId: string, ownerId: string, since: number): Promise<GraphDelta | undefined> {
    const graph = await this.graph(chatId, ownerId, since)
    if (!graph) return undefined
    const [gone] = await this.#ask<{ removedCheckpoints: string[]; endedRuns: string[] }>(goneSql, [
      chatId,
      since,
    ])
    return { ...graph, ...gone }
  }

  /** A stretch of a chat's log that ends before a position, newest transactions whole; see {@link readMarked}. */
  marked(
    chatId: string,
    ownerId: string,
    stretch: { before?: number; limit: number },
  ): Promise<MarkedLog | undefined> {
    return readMarked(this.#ask, chatId, ownerId, stretch)
  }

  /** The moves of a chat after event `since`, without bodies: one statement for a chat of any length. */
  async history(chatId: string, ownerId: string, since = 0): Promise<History | undefined> {
    const [row] = await this.#ask<{ seq: number; movements: MovementRow[] }>(movementsSql, [
      chatId,
      ownerId,
      since,
      movingTypes,
    ])
    return row && { chatId, seq: row.seq, movements: row.movements.map(toMovement) }
  }

  /** The last `limit` messages of a branch's chain above depth `before`; undefined for an unknown chat or branch. */
  async window(
    chatId: string,
    ownerId: string,
    options: { branch?: string; before?: number; limit: number },
  ): Promise<{ branchId: string; messages: PlacedMessage[] } | undefined> {
    const rows = await this.#ask<MessageRow>(windowSql, [
      chatId,
      options.branch ?? null,
      options.limit,
      ownerId,
      options.before ?? null,
    ])
    const head = takeHead(rows)
    return (
      head && {
        branchId: head.id,
        messages: inOrder(rows).map((row) => ({
          ...toMessage(chatId, row),
          lane: row.lane,
          depth: row.depth,
        })),
      }
    )
  }

  /** The branch a turn continues: by name or id, else the active one. */
  async branchState(
    chatId: string,
    ownerId: string,
    branch?: string,
  ): Promise<{ chat: 'unknown' | 'foreign' | 'own'; state?: BranchState }> {
    const [row] = await this.#ask<StateRow>(stateSql('chats c where c.id = $1'), [
      chatId,
      ownerId,
      branch ?? null,
    ])
    if (!row) return { chat: 'unknown' }
    if (!row.own) return { chat: 'foreign' }
    return { chat: 'own', ...(row.state ? { state: row.state } : {}) }
  }

  /**
   * As `branchState`, but of the chat the owner calls by this id: with the key it is stored under. `foreign` when there is
   * none, and another person's chat has the id for its key; `lent` when the person is a member of that.
   */
  async calledState(
    id: string,
    ownerId: string,
    branch?: string,
  ): Promise<
    { chat: 'unknown' | 'foreign' | 'lent' } | { chat: 'own'; chatId: string; state?: BranchState }
  > {
    const [row] = await this.#ask<StateRow>(stateSql(called), [id, ownerId, branch ?? null])
    if (!row) return { chat: 'unknown' }
    if (!row.own) return { chat: row.lent ? 'lent' : 'foreign' }
    return { chat: 'own', chatId: row.id, ...(row.state ? { state: row.state } : {}) }
  }

  /** The key of the chat an owner calls by this id. */
  async chatCalled(id: string, ownerId: string): Promise<string | undefined> {
    const [row] = await this.#ask<{ id: string }>(
      `select c.id from chats c where c.user_id = $2 and ${publicId('c')} = $1`,
      [id, ownerId],
    )
    return row?.id
  }

  /** A person's membership in a chat of someone else, by the person's id for it. */
  membership(id: string, personId: string): Promise<Membership | undefined> {
    return membershipOf(this.#ask, id, personId)
  }

  /** Tells whether the chat a person calls by this id, or that has a branch of this id, has more than so many events. */
  async isLong(id: string, ownerId: string, events: number): Promise<boolean> {
    const rows = await this.#ask(
      `select 1 from (
        select user_id, last_seq from chats where id = $1
        union all
        select c.user_id, c.last_seq from chats c where c.user_id = $2 and ${publicId('c')} = $1
        union all
        select c.user_id, c.last_seq from branches b join chats c on c.id = b.chat_id where b.id = $1
        union all
        select m.person_id, c.last_seq from chat_members m join chats c on c.id = m.chat_id
        where m.person_id = $2 and (m.id = $1 or m.chat_id = $1)) c
      where user_id = $2 and last_seq > $3 limit 1`,
      [id, ownerId, events],
    )
    return rows.length > 0
  }

  /** A message of an owner's chat with its place, whether it has replies, and its contexts. */
  async message(chatId: string, ownerId: string, messageId: string): Promise<FoundMessage | undefined> {
    const [row] = await this.#ask<MessageRow & Omit<FoundMessage, 'message'>>(
      `select ${messageColumns},
        exists (select 1 from messages r where r.chat_id = m.chat_id and r.lane = m.lane and r.depth = m.depth + 1)
          as answered,
        (select e.stream_id from events e where e.chat_id = m.chat_id and e.message_id = m.id limit 1) as "recordedOn",
        (select json_build_object('id', x.id, 'fragments', x.fragments, 'model', x.model, 'setup', x.setup)
          from contexts x where x.chat_id = m.chat_id and x.id = m.context_id) as context,
        (select json_build_object('id', x.id, 'fragments', x.fragments, 'model', x.model, 'setup', x.setup)
          from runs r join contexts x on x.chat_id = r.chat_id and x.id = r.context_id
          where r.chat_id = m.chat_id and r.id = m.run_id and r.context_id <> m.context_id) as "askedIn",
        (select r.answers from runs r where r.chat_id = m.chat_id and r.id = m.run_id) as answers
      from messages m join chats c on c.id = m.chat_id and c.user_id = $2
      where m.chat_id = $1 and m.id = $3`,
      [chatId, ownerId, messageId],
    )
    if (!row) return undefined
    const { answered, recordedOn, context, askedIn, answers, ...rest } = row
    return {
      message: { ...toMessage(chatId, rest), lane: row.lane, depth: row.depth },
      answered,
      recordedOn,
      context,
      askedIn,
      answers,
    }
  }

  /** A branch that stands at a message and has recorded nothing of its own yet: a rewind there reuses it. */
  async emptyBranchAt(chatId: string, ownerId: string, messageId: string): Promise<string | undefined> {
    const [row] = await this.#ask<{ id: string }>(
      `select b.id from branches b
      join chats c on c.id = b.chat_id and c.user_id = $2
      join messages m on m.chat_id = b.chat_id and m.lane = b.head_lane and m.depth = b.head_depth
      where b.chat_id = $1 and m.id = $3 and b.archived_at is null
        and not exists (select 1 from events e where e.chat_id = b.chat_id and e.stream_id = b.id and e.message_id is not null)
        and not exists (select 1 from runs r where r.chat_id = b.chat_id and r.branch_id = b.id)
      order by b.created_at desc limit 1`,
      [chatId, ownerId, messageId],
    )
    return row?.id
  }

  /** The branches of an owner's chat that agents write on. */
  async agents(chatId: string, ownerId: string): Promise<GraphAgent[]> {
    const [row] = await this.#ask<{ agents: GraphAgent[] | null }>(
      `select ${graphAgents('c.id')} as agents from chats c where c.id = $1 and c.user_id = $2`,
      [chatId, ownerId],
    )
    return row?.agents ?? []
  }

  /** Tells whether an agent of an owner's was ever moved to another place. */
  async hasMovedAgents(ownerId: string): Promise<boolean> {
    const rows = await this.#ask(
      'select 1 from agent_steers s join chats c on c.id = s.chat_id where c.user_id = $1 limit 1',
      [ownerId],
    )
    return rows.length > 0
  }

  /** The names of the last messages of an owner's agents with a key, in a few conversations. */
  recentAgentNames(ownerId: string, keyId: string) {
    return recentAgentNames(this.#ask, ownerId, keyId)
  }

  /** The branches that agents of an owner write on, of one key or one chat; the last called first. */
  ownAgents(
    ownerId: string,
    { keyId, chatId, limit }: { keyId?: string | undefined; chatId?: string | undefined; limit: number },
  ): Promise<OwnAgent[]> {
    return this.#ask<OwnAgent>(ownAgentsSql, [ownerId, keyId ?? null, chatId ?? null, limit])
  }

  async context(chatId: string, contextId: string): Promise<ContextData | undefined> {
    const [row] = await this.#ask<ContextData>(
      'select id, fragments, model, setup from contexts where chat_id = $1 and id = $2',
      [chatId, contextId],
    )
    return row
  }

  /** The deepest message above a question and its predecessor that begins more than one branch. */
  branchPoint(chatId: string, questionId: string): Promise<string | undefined> {
    return branchPoint(this.#ask, chatId, questionId)
  }

  /** The questions that a model was asked in a chat since a moment, in ms, with the messages before them; newest first. */
  askedSince(
    chatId: string,
    { model, since }: { model: string; since: number },
  ): Promise<{ id: string; parentId: string | null }[]> {
    return askedSince(this.#ask, chatId, { model, since })
  }

  branchContexts(chatId: string, ownerId: string): Promise<(ContextData & { branchIds: string[] })[]> {
    return this.#ask<ContextData & { branchIds: string[] }>(
      `select x.id, x.fragments, x.model, x.setup, b.ids as "branchIds" from chats c
      join lateral (select context_id, json_agg(id order by created_at, id) as ids, max(created_at) as newest
        from branches where chat_id = c.id and archived_at is null and context_id is not null
        group by context_id) b on true
      join contexts x on x.chat_id = c.id and x.id = b.context_id
      where c.id = $1 and c.user_id = $2
      order by b.newest desc, x.id limit 100`,
      [chatId, ownerId],
    )
  }

  /** Two branches of a chat from where they part; see {@link compareBranches}. Undefined for an unknown chat or branch. */
  comparison(
    chatId: string,
    ownerId: string,
    options: { left?: string; right?: string; limit: number },
  ): Promise<StoredComparison | undefined> {
    return compareBranches(this.#ask, chatId, ownerId, options)
  }

  /**
   * Searches an owner's messages; see {@link searchMessages}. Undefined for an unknown chat. A few searches
   * run at a time, and one of each person.
   *
   * @throws {GateFullError} when too many wait already
   */
  search(ownerId: string, words: string, options: SearchOptions): Promise<StoredPage | undefined> {
    const { database, signal } = this
    const ask = asking(database, { kind: 'search', ...(signal ? { signal } : {}) })
    const query = database.kind === 'pglite' ? withPauses(ask) : ask
    const search = () => searchMessages({ kind: database.kind, query }, ownerId, words, options)
    return this.searches.run(ownerId, search, signal)
  }

  /** Sources of a branch's and its chat's title; undefined while the branch has no message of its own. */
  async titleFacts(chatId: string, branchId: string): Promise<TitleFacts | undefined> {
    const [row] = await this.#ask<TitleFacts>(titleFactsSql, [chatId, branchId])
    return row
  }

  /** A page of an owner's chats, pinned ones first; see {@link listChats}. */
  chats(ownerId: string, options: ListOptions): Promise<ListedPage> {
    return listChats(this.#ask, ownerId, options)
  }

  countChats(ownerId: string, filter: ChatFilter): Promise<number> {
    return countChats(this.#ask, ownerId, filter)
  }

  /** The chat that an owner calls by this id, as it is listed. */
  chatSummary(ownerId: string, called: string): Promise<ListedChat | undefined> {
    return chatSummary(this.#ask, ownerId, called)
  }

  /** The tags of an owner's chats, with the number of chats that have each. */
  chatTags(ownerId: string): Promise<TagCount[]> {
    return tagsOf(this.#ask, ownerId)
  }
}

interface TitleFacts {
  chatTitle: string | null
  firstId: string
  text: string
  original: string | null
  otherModel: string | null
}

/**
 * The preview of a message of files alone names them. The first of several replies that are asked for at once
 * has no original: the live runs of the chat, one a branch, tell the other model. $1 chat, $2 branch.
 */
const titleFactsSql = `
select c.title as "chatTitle", m.id as "firstId", left(coalesce(message_text(m.data), m.preview), 2000) as text,
  left(coalesce(message_text(o.data), o.preview), 2000) as original, coalesce(o.data #>> '{metadata,model}',
    (select r.model from runs r where r.chat_id = c.id and r.status in ('queued', 'running')
      and r.reply_to = m.parent_id and r.model <> m.data #>> '{metadata,model}' limit 1)) as "otherModel"
from first_in_thread($1, $2) f
join chats c on c.id = $1
join messages m on m.chat_id = c.id and m.id = f.id
left join messages o on o.chat_id = c.id and o.id = f.original_id`

/**
 * The same statements, each followed by as long a pause as it took: searches, however many are asked for, leave the
 * embedded database to others for half of the time.
 */
const withPauses =
  (query: Database['query']): Database['query'] =>
  async (...asked) => {
    const begun = performance.now()
    const rows = await query(...asked)
    const took = performance.now() - begun
    if (took > SHORT) await pause(Math.min(took, LONGEST_PAUSE))
    return rows as never
  }
