import type { Database } from '@/lib/db'
import type { StoredComment, StoredProposal } from '@/lib/protocol/remotes/proposals'
import { asking } from '../reads/asking'
import { publicId } from '../reads/rows'

/** Comments on one proposal at most. */
const MOST_COMMENTS = 200
/** Proposals of one list. */
const LISTED = 200

type NewProposal = Omit<
  StoredProposal,
  'ownerId' | 'state' | 'takenAs' | 'answer' | 'createdAt' | 'updatedAt'
>

/** Proposals to the owners of chats. */
export class Proposals {
  readonly #ask: Database['query']

  constructor(database: Database) {
    this.#ask = asking(database)
  }

  /** The chat of a key: its owner, the owner's id for it, and its origin. */
  async chatOf(chatId: string): Promise<{ ownerId: string; called: string; origin: string } | undefined> {
    const [row] = await this.#ask<{ ownerId: string; called: string; origin: string }>(
      `select c.user_id as "ownerId", ${publicId('c')} as called, c.origin::text as origin from chats c where c.id = $1`,
      [chatId],
    )
    return row
  }

  /** Open proposals: to a chat, by an author to it, and by the author to all chats. */
  async countOpen(chatId: string, authorId: string) {
    const [row] = await this.#ask<{ ofChat: number; ofBoth: number; ofAuthor: number }>(
      `select count(*) filter (where chat_id = $1)::int as "ofChat",
        count(*) filter (where chat_id = $1 and author_id = $2)::int as "ofBoth",
        count(*) filter (where author_id = $2)::int as "ofAuthor"
      from proposals where state = 'open' and (chat_id = $1 or author_id = $2)`,
      [chatId, authorId],
    )
    return row ?? { ofChat: 0, ofBoth: 0, ofAuthor: 0 }
  }

  /** Keeps a new proposal; false where its chat or its author is gone. */
  async keep(proposal: NewProposal): Promise<boolean> {
    const rows = await this.#ask(
      `insert into proposals (chat_id, id, number, author_id, author_name, source_chat_id, source_branch_id, source_head_id,
        title, words, branch_id, base_message_id, head_message_id, messages)
      select x."chatId", x.id, x.number, u.id, x."authorName", s.id, x."sourceBranchId", x."sourceHeadId",
        x.title, x.words, x."branchId", x."baseMessageId", x."headMessageId", x.messages
      from json_to_record($1::json) as x("chatId" text, id text, number int, "authorId" text, "authorName" text, "sourceChatId" text,
        "sourceBranchId" text, "sourceHeadId" text, title text, words text, "branchId" text, "baseMessageId" text,
        "headMessageId" text, messages int)
      join chats c on c.id = x."chatId" join "user" u on u.id = x."authorId" left join chats s on s.id = x."sourceChatId"
      returning 1`,
      [JSON.stringify(proposal)],
    )
    return rows.length > 0
  }

  /** Pins an open proposal at another message. */
  async pin(
    { chatId, id }: Pick<StoredProposal, 'chatId' | 'id'>,
    at: Pick<StoredProposal, 'headMessageId' | 'sourceHeadId' | 'messages'>,
  ): Promise<void> {
    await this.#ask(
      `update proposals p set head_message_id = $3, source_head_id = $4, messages = $5, state = 'open', taken_seq = null,
        updated_at = now()
      where p.chat_id = $1 and p.id = $2 and ${stateNow} = 'open'`,
      [chatId, id, at.headMessageId, at.sourceHeadId, at.messages],
    )
  }

  /** A proposal that a person has made, or that was made to a chat of theirs. */
  async find(id: string, personId: string): Promise<StoredProposal | undefined> {
    const [row] = await this.#ask<StoredProposal>(
      `select ${columns} from proposals p join chats c on c.id = p.chat_id
      where p.id = $1 and (p.author_id = $2 or c.user_id = $2)`,
      [id, personId],
    )
    return row
  }

  /** The proposals to an owner's chat, and those that were made from it, the newest first. */
  list(chatId: string, ownerId: string): Promise<StoredProposal[]> {
    return this.#ask<StoredProposal>(
      `select ${columns} from proposals p join chats c on c.id = p.chat_id
      where (p.chat_id = $1 and c.user_id = $2) or (p.source_chat_id = $1 and p.author_id = $2)
      order by p.created_at desc, p.id desc limit ${LISTED}`,
      [chatId, ownerId],
    )
  }

  /** The newest proposal of a branch to a chat, whatever became of it. */
  async latestOf(chatId: string, sourceBranchId: string, authorId: string) {
    const [row] = await this.#ask<StoredProposal>(
      `select ${columns} from proposals p join chats c on c.id = p.chat_id
      where p.chat_id = $1 and p.source_branch_id = $2 and p.author_id = $3 order by p.number desc limit 1`,
      [chatId, sourceBranchId, authorId],
    )
    return row
  }

  /** Has an open proposal be taken by one request alone, for two minutes; false where another one takes it, or it is not open. */
  async claim({ chatId, id }: Pick<StoredProposal, 'chatId' | 'id'>): Promise<boolean> {
    const rows = await this.#ask(
      `update proposals p set claimed_at = clock_timestamp() where p.chat_id = $1 and p.id = $2 and ${stateNow} = 'open'
        and (p.claimed_at is null or p.claimed_at < clock_timestamp() - interval '2 minutes') returning 1`,
      [chatId, id],
    )
    return rows.length > 0
  }

  /** Ends a claim, with what came of it. */
  async settle(
    { chatId, id }: Pick<StoredProposal, 'chatId' | 'id'>,
    outcome:
      | { state: 'taken'; seq: number; as: NonNullable<StoredProposal['takenAs']> }
      | { state: 'declined'; answer: string }
      | { state: 'open' },
  ): Promise<void> {
    const taken = outcome.state === 'taken' ? outcome : undefined
    await this.#ask(
      `update proposals set state = $3, taken_seq = $4, taken_as = $5, answer = $6, claimed_at = null, updated_at = now()
      where chat_id = $1 and id = $2`,
      [
        ...[chatId, id, outcome.state, taken?.seq ?? null, taken?.as ?? null],
        outcome.state === 'declined' ? outcome.answer : null,
      ],
    )
  }

  /** Keeps a comment; false where the proposal has as many as it may have. */
  async comment(chatId: string, comment: Omit<StoredComment, 'createdAt'>): Promise<boolean> {
    const { id, proposalId, saidBy, messageId, sourceMessageId, words } = comment
    const rows = await this.#ask(
      `insert into proposal_comments (chat_id, id, proposal_id, said_by, message_id, source_message_id, words)
      select $1, $2, $3, $4, $5, $6, $7
      where (select count(*) from proposal_comments where chat_id = $1 and proposal_id = $3) < ${MOST_COMMENTS} returning 1`,
      [chatId, id, proposalId, saidBy, messageId, sourceMessageId, words],
    )
    return rows.length > 0
  }

  /** The comments on some proposals, the oldest first. */
  comments(proposals: readonly Pick<StoredProposal, 'chatId' | 'id'>[]): Promise<StoredComment[]> {
    return this.#ask<StoredComment>(
      `select k.id, k.proposal_id as "proposalId", k.said_by as "saidBy", k.message_id as "messageId",
        k.source_message_id as "sourceMessageId", k.words,
        epoch_ms(k.created_at) as "createdAt"
      from json_to_recordset($1::json) as x("chatId" text, id text)
      cross join lateral (select * from proposal_comments k where k.chat_id = x."chatId" and k.proposal_id = x.id offset 0) k
      order by k.created_at, k.id`,
      [JSON.stringify(proposals)],
    )
  }
}

/** Undo takes a taking back, and Redo makes it again: the last of both counts. */
const stateNow = `case when p.state = 'taken' and (
  select e.type from events e where e.chat_id = p.chat_id and e.seq > p.taken_seq and e.type in ('MoveUndone', 'MoveRedone')
    and (e.payload ->> 'move_seq')::bigint = p.taken_seq order by e.seq desc limit 1) = 'MoveUndone'
  then 'open' else p.state end`

const columns = `p.id, p.chat_id as "chatId", c.user_id as "ownerId", p.number, p.author_id as "authorId",
  p.author_name as "authorName", p.source_chat_id as "sourceChatId", p.source_branch_id as "sourceBranchId",
  p.source_head_id as "sourceHeadId", p.title, p.words, p.branch_id as "branchId", p.base_message_id as "baseMessageId",
  p.head_message_id as "headMessageId", p.messages, ${stateNow} as state, p.taken_as as "takenAs", p.answer,
  epoch_ms(p.created_at) as "createdAt", epoch_ms(p.updated_at) as "updatedAt"`
