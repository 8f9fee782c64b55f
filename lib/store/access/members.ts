import { randomBytes } from 'node:crypto'
import { NotFoundError } from '@/lib/context'
import type { Database } from '@/lib/db'
import type { MemberRole } from '@/lib/events'
import type {
  Invitation,
  Membership,
  NewInvitation,
  OpenedShare,
  SharedChat,
  StoredMember,
} from '@/lib/protocol'
import { asking } from '../reads/asking'
import { publicId } from '../reads/rows'
import { hashOf } from './api-keys'

/** Shared chats of one list. */
const LISTED = 500

/** The people of chats, and the invitations to them. */
export class Members {
  readonly #ask: Database['query']

  /** @param most members and invitations of one chat */
  constructor(
    database: Database,
    private readonly most: number,
  ) {
    this.#ask = asking(database)
  }

  /** The name of a chat's owner. */
  async ownerName(chatId: string): Promise<string> {
    const [row] = await this.#ask<{ name: string }>(
      `select ${nameOf('u')} as name from chats c join "user" u on u.id = c.user_id where c.id = $1`,
      [chatId],
    )
    return row?.name ?? ''
  }

  /** The members of a chat and the invitations to it, in the order in which they were made. */
  list(chatId: string): Promise<StoredMember[]> {
    return this.#ask<StoredMember>(
      `select m.id, m.role, m.person_id as "personId", ${nameOf('u')} as name, m.email,
        epoch_ms(m.joined_at) as "joinedAt", epoch_ms(m.created_at) as "createdAt", epoch_ms(m.expires_at) as "expiresAt"
      from chat_members m left join "user" u on u.id = m.person_id
      where m.chat_id = $1 and (m.expires_at is null or m.expires_at > clock_timestamp())
      order by m.created_at, m.id`,
      [chatId],
    )
  }

  /**
   * Makes an invitation, which one person may take.
   *
   * @returns its token, told this once; undefined where the chat has as many members and invitations as it may have
   */
  async invite(ownerId: string, { id, chatId, role, email, expiresAt }: NewInvitation) {
    await this.#ask('delete from chat_members where chat_id = $1 and expires_at < clock_timestamp()', [
      chatId,
    ])
    const token = randomBytes(32).toString('base64url')
    const rows = await this.#ask(
      `insert into chat_members (chat_id, id, role, token_hash, email, expires_at)
      select c.id, $3, $4, $5, lower($6), to_timestamp($7::float8 / 1000) from chats c
      where c.id = $1 and c.user_id = $2 and (select count(*) from chat_members m where m.chat_id = c.id) < $8 returning 1`,
      [chatId, ownerId, id, role, hashOf(token), email, expiresAt, this.most],
    )
    return rows.length > 0 ? token : undefined
  }

  /** An invitation, as a person sees it who may take it. */
  async look(token: string, personId: string): Promise<Invitation | undefined> {
    const [row] = await this.#ask<Invitation>(
      `select m.id, m.chat_id as "chatId", m.role, ${titleOf} as title, c.user_id as "ownerId", ${nameOf('o')} as "ownerName",
        case when c.user_id = u.id then ${publicId('c')} else (
          select k.id from chat_members k where k.chat_id = c.id and k.person_id = u.id) end as "calledBefore"
      from chat_members m ${ofLivingOwner} join "user" u on u.id = $2
      where m.token_hash = $1 and m.expires_at > clock_timestamp()
        and (m.email is null or m.email = lower(u.email) or c.user_id = u.id)`,
      [hashOf(token), personId],
    )
    return row
  }

  /** Makes a person the member whom an invitation is for; false where another one was first, or the person is one already. */
  async take(token: string, personId: string): Promise<boolean> {
    const rows = await this.#ask(
      `update chat_members m set person_id = u.id, joined_at = now(), token_hash = null, email = null, expires_at = null
      from "user" u, chats c
      where m.token_hash = $1 and m.expires_at > clock_timestamp() and u.id = $2 and u.gone_at is null
        and (m.email is null or m.email = lower(u.email)) and c.id = m.chat_id and c.user_id <> u.id
        and not exists (select 1 from chat_members k where k.chat_id = m.chat_id and k.person_id = u.id)
      returning 1`,
      [hashOf(token), personId],
    )
    return rows.length > 0
  }

  /** Gives a member, or the person who takes an invitation, another role. Rejects with `NotFoundError`. */
  async changeRole(chatId: string, id: string, role: MemberRole): Promise<void> {
    const rows = await this.#ask(
      'update chat_members set role = $3 where chat_id = $1 and id = $2 returning 1',
      [chatId, id, role],
    )
    if (rows.length === 0) throw new NotFoundError('member', id)
  }

  /** Ends what a member may do, or takes an invitation back. Rejects with `NotFoundError`. */
  async remove(chatId: string, id: string): Promise<void> {
    const rows = await this.#ask('delete from chat_members where chat_id = $1 and id = $2 returning 1', [
      chatId,
      id,
    ])
    if (rows.length === 0) throw new NotFoundError('member', id)
  }

  /** The chats of others that a person is a member of, the last changed first. */
  chatsOf(personId: string): Promise<SharedChat[]> {
    return this.#ask<SharedChat>(
      `select m.id, ${titleOf} as title, m.role, ${nameOf('o')} as "ownerName", epoch_ms(c.updated_at) as "updatedAt"
      from chat_members m ${ofLivingOwner} where m.person_id = $1
      order by c.updated_at desc, m.id desc limit ${LISTED}`,
      [personId],
    )
  }

  /** A chat as a link that follows its active branch would open it, for a member of it; undefined where nothing was said. */
  async opened(id: string, personId: string): Promise<(OpenedShare & { role: MemberRole }) | undefined> {
    const [share] = await this.#ask<OpenedShare & { role: MemberRole }>(
      `select m.id, m.role, c.id as "chatId", b.id as "branchId", l.id as "messageId", c.last_seq::float8 as seq,
        true as "withGraph", true as follows, false as indexed, null as "sharedBy", null as "expiresAt",
        epoch_ms(m.created_at) as "createdAt", c.user_id as "ownerId", c.title, c.origin::text as origin,
        c.last_seq::float8 as "lastSeq", json_build_object('lane', l.lane, 'depth', l.depth) as end
      from chat_members m ${ofLivingOwner}
      join branches b on b.chat_id = c.id and b.id = c.active_branch_id
      join messages l on l.chat_id = c.id and l.lane = b.head_lane and l.depth = b.head_depth
      where m.id = $1 and m.person_id = $2`,
      [id, personId],
    )
    return share
  }
}

/** A person's membership in a chat of someone else, by its id or the chat's. */
export async function membershipOf(
  ask: Database['query'],
  called: string,
  personId: string,
): Promise<Membership | undefined> {
  const [row] = await ask<Membership>(
    `select m.id, m.role, m.chat_id as "chatId", c.user_id as "ownerId",
      ${nameOf('o')} as "ownerName" from chat_members m ${ofLivingOwner}
    where m.person_id = $2 and (m.id = $1 or m.chat_id = $1) order by m.id = $1 desc limit 1`,
    [called, personId],
  )
  return row
}

/** A chat whose owner was deleted is out of everyone's reach. */
const ofLivingOwner =
  'join chats c on c.id = m.chat_id join "user" o on o.id = c.user_id and o.gone_at is null'

/** A chat without a title is called by its first message. */
const titleOf = `coalesce(c.title, (
  select f.preview from messages f where f.chat_id = c.id and f.lane = 0 and f.depth = 0))`

const nameOf = (user: string): string =>
  `case when ${user}.is_anonymous then 'A guest' else left(${user}.name, 100) end`
