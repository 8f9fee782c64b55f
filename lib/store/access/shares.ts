import { randomBytes } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { type MessageData, NotFoundError, type PlacedMessage } from '@/lib/context'
import { type Database, schema } from '@/lib/db'
import type { ChatId, UserId } from '@/lib/events'
import type { ListedShare, OpenedShare, StoredShare } from '@/lib/protocol'
import { asking } from '../reads/asking'
import { branchBy, lanesOf, messageColumns, messagesOf } from '../reads/chain-sql'
import { inOrder, type MessageRow, publicId, READ_AT_ONCE, toMessage } from '../reads/rows'
import { hashOf } from './api-keys'

const { chats, shareLinks } = schema

/** Links of one list. */
const LISTED = 500

/** A new link, with its address. */
export type NewShare = Pick<
  StoredShare,
  'id' | 'chatId' | 'withGraph' | 'follows' | 'indexed' | 'sharedBy' | 'expiresAt'
> & {
  /** by id or name */
  branch: string
  /** without it, the head of the branch */
  messageId?: string | undefined
}

/** Result of making a link: its token, told this once, or the reason for none. */
export type MadeShare =
  | { token: string }
  /** the branch is not there, has no message, or does not hold the one asked for */
  | { lacks: 'branch' | 'first message' | 'message' }
  /** as many links of this chat are in force */
  | { used: number }

/** Links to chats: 256 random bits each, stored as a hash. */
export class Shares {
  readonly #ask: Database['query']

  /** @param most how many links of one chat may be in force */
  constructor(
    private readonly database: Database,
    private readonly most: number,
  ) {
    this.#ask = asking(database)
  }

  /**
   * Makes a link to a branch of an owner's chat. The message at its end is on the chain of the branch.
   *
   * @returns undefined for a chat that is missing or someone else's
   */
  async make(ownerId: string, share: NewShare): Promise<MadeShare | undefined> {
    const { chatId, branch, messageId = null, expiresAt, ...rest } = share
    const [place] = await this.#ask<{ branchId: string | null; headId: string | null; found: string | null }>(
      placeSql,
      [chatId, branch, ownerId, messageId],
    )
    if (!place) return undefined
    if (place.branchId === null) return { lacks: 'branch' }
    if (place.headId === null) return { lacks: 'first message' }
    if (messageId !== null && place.found === null) return { lacks: 'message' }
    const token = randomBytes(32).toString('base64url')
    const row = {
      ...rest,
      chatId,
      branchId: place.branchId,
      messageId: place.found ?? place.headId,
      tokenHash: hashOf(token),
      expiresAt: expiresAt === null ? null : new Date(expiresAt),
    }
    // the chat's lock makes calls for one chat serial: the limit is exact, and no event comes between the position and the link
    return this.database.orm.transaction(async (tx) => {
      const own = and(eq(chats.id, chatId), eq(chats.userId, ownerId))
      const [chat] = await tx.select({ seq: chats.lastSeq }).from(chats).where(own).for('no key update')
      if (!chat) return undefined
      const isInForce = sql`(expires_at is null or expires_at > clock_timestamp())`
      const used = await tx.$count(shareLinks, and(eq(shareLinks.chatId, chatId), isInForce))
      if (used >= this.most) return { used }
      await tx.insert(shareLinks).values({ ...row, seq: chat.seq })
      return { token }
    })
  }

  /** An owner's links, newest first, expired ones included; those of one chat if it is given. */
  list(ownerId: string, chatId?: string): Promise<ListedShare[]> {
    return this.#ask<ListedShare>(
      `select ${columns}, ${publicId('c')} as "calledChatId", c.title, b.name as branch, s.views
      from chats c join share_links s on s.chat_id = c.id
      join branches b on b.chat_id = s.chat_id and b.id = s.branch_id
      where c.user_id = $1 and ($2::text is null or c.id = $2)
      order by s.created_at desc, s.id desc limit ${LISTED}`,
      [ownerId, chatId ?? null],
    )
  }

  /** Ends a link. Rejects with `NotFoundError` for one that is missing or someone else's. */
  async revoke(ownerId: string, id: string): Promise<void> {
    const rows = await this.#ask(
      `delete from share_links s using chats c where c.id = s.chat_id and c.user_id = $1 and s.id = $2 returning 1`,
      [ownerId, id],
    )
    if (rows.length === 0) throw new NotFoundError('share', id)
  }

  /** The link of a token, while it is in force. */
  async open(token: string): Promise<OpenedShare | undefined> {
    const [share] = await this.#ask<OpenedShare>(openSql('s.token_hash'), [hashOf(token)])
    return share
  }

  /** The link of an id, which is no secret, while it is in force. */
  async inForce(id: string): Promise<OpenedShare | undefined> {
    const [share] = await this.#ask<OpenedShare>(openSql('s.id'), [id])
    return share
  }

  /** The messages of the chain that ends at a place, from a depth on. */
  async chain(
    chatId: string,
    { lane, depth }: OpenedShare['end'],
    { from, to }: { from: number; to: number },
  ): Promise<PlacedMessage[]> {
    const rows = await this.#ask<MessageRow>(chainToSql, [chatId, lane, Math.min(depth, to), from])
    return inOrder(rows).map((row) => placed(chatId, row))
  }

  /** Every message of a chat. */
  async messages(chatId: string): Promise<PlacedMessage[]> {
    const messages: PlacedMessage[] = []
    for (let [lane, depth] = [-1, 0]; ; ) {
      const part = await this.#ask<MessageRow>(
        `select ${messageColumns} from messages m where m.chat_id = $1 and (m.lane, m.depth) > ($2, $3)
        order by m.lane, m.depth limit ${READ_AT_ONCE}`,
        [chatId, lane, depth],
      )
      messages.push(...part.map((row) => placed(chatId, row)))
      const end = part.at(-1)
      if (!end || part.length < READ_AT_ONCE) return messages
      ;({ lane, depth } = end)
    }
  }

  /** The messages of a chat that name a file. */
  async naming(chatId: string, fileId: string): Promise<PlacedMessage[]> {
    const rows = await this.#ask<MessageRow>(
      `select ${messageColumns} from messages m
      where m.chat_id = $1 and m.holds is not null and position($2 in m.data::text) > 0`,
      [chatId, fileId],
    )
    return rows.map((row) => placed(chatId, row))
  }

  /** True when a message is on the chain that ends at a place. */
  async isOnChain(chatId: string, end: OpenedShare['end'], messageId: string): Promise<boolean> {
    const rows = await this.#ask(
      `with recursive ${lanesOf('(select $2::int as lane, $3::int as top, 0 as lowest)')}
      select 1 from messages m join s on s.lane = m.lane and m.depth between s.base_depth and s.top
      where m.chat_id = $1 and m.id = $4`,
      [chatId, end.lane, end.depth, messageId],
    )
    return rows.length > 0
  }

  /** Counts a view. */
  async countView({ chatId, id }: Pick<StoredShare, 'chatId' | 'id'>): Promise<void> {
    await this.#ask('update share_links set views = views + 1 where chat_id = $1 and id = $2', [chatId, id])
  }

  /** The copies of shared chats that were begun some time ago and are not whole, with their owners. */
  brokenCopies(olderMs: number): Promise<{ chatId: ChatId; ownerId: UserId }[]> {
    return this.#ask(
      `select id as "chatId", user_id as "ownerId" from chats
      where metadata #> '{sharedFrom,isCopying}' is not null
        and updated_at < clock_timestamp() - make_interval(secs => $1::float8 / 1000) limit 10`,
      [olderMs],
    )
  }

  /** Deletes links that expired some time ago. Returns how many. */
  async forgetExpired(olderMs: number): Promise<number> {
    const rows = await this.#ask(
      `delete from share_links
      where expires_at < clock_timestamp() - make_interval(secs => $1::float8 / 1000) returning 1`,
      [olderMs],
    )
    return rows.length
  }
}

const placed = (chatId: string, row: MessageRow): MessageData & PlacedMessage => ({
  ...toMessage(chatId, row),
  lane: row.lane,
  depth: row.depth,
})

const columns = `s.id, s.chat_id as "chatId", s.branch_id as "branchId", s.message_id as "messageId", s.seq::float8 as seq,
  s.with_graph as "withGraph", s.follows, s.indexed, s.shared_by as "sharedBy", epoch_ms(s.expires_at) as "expiresAt",
  epoch_ms(s.created_at) as "createdAt"`

/** A branch, its head, and a message of its chain. $1 chat, $2 branch by id or name, $3 owner, $4 message (null = none) */
const placeSql = `with recursive h as materialized (
  select (branch).id, (branch).head_lane as lane, (branch).head_depth as top, 0 as lowest
  from chats c cross join lateral ${branchBy('id')} q
  where c.id = $1 and c.user_id = $3
), ${lanesOf('h')}
select h.id as "branchId", m.id as "headId",
  (select f.id from messages f join s on s.lane = f.lane and f.depth between s.base_depth and s.top
    where f.chat_id = $1 and f.id = $4) as found
from chats c left join h on true
left join messages m on m.chat_id = $1 and m.lane = h.lane and m.depth = h.top
where c.id = $1 and c.user_id = $3`

/** @param by $1 is the hash of the token, or the id */
const openSql = (by: 's.token_hash' | 's.id'): string => `
select ${columns}, c.user_id as "ownerId", c.title, c.origin::text as origin, c.last_seq::float8 as "lastSeq",
  case when s.follows and b.head_lane is not null then json_build_object('lane', b.head_lane, 'depth', b.head_depth)
    else json_build_object('lane', m.lane, 'depth', m.depth) end as end
from share_links s join chats c on c.id = s.chat_id
join branches b on b.chat_id = s.chat_id and b.id = s.branch_id
join messages m on m.chat_id = s.chat_id and m.id = s.message_id
where ${by} = $1 and (s.expires_at is null or s.expires_at > clock_timestamp())`

/** $1 chat, $2 lane, $3 the deepest and $4 the highest depth wanted */
const chainToSql = `with recursive ${lanesOf('(select $2::int as lane, $3::int as top, $4::int as lowest)')}
${messagesOf(messageColumns)}`
