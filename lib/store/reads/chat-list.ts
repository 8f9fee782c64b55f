import type { Database } from '@/lib/db'
import { agentClientOf } from '@/lib/events/agent-client'
import type { ChatFilter, ChatSort, ChatSummary, PickedChats, TagCount } from '@/lib/protocol'
import { messageCount, publicId } from './rows'
import { type Spent, sums } from './usage-reads'

/** End of a page of the list: the last chat's place in the order. */
interface ListPlace {
  pinned: boolean
  /** microseconds since 1970, or the title */
  key: string
  id: string
}

/** `tag` is a tag's key, which is its lower case. */
export interface ListOptions extends ChatFilter {
  sort: ChatSort
  limit: number
  after?: ListPlace | undefined
}

/** A chat of the list, with the usage of its replies on all branches, by model. */
export interface ListedChat extends Omit<ChatSummary, 'costUsd'> {
  spent: Spent[]
}

export interface ListedPage {
  chats: ListedChat[]
  /** undefined after the last page */
  next: ListPlace | undefined
}

interface ListedRow extends Omit<ListedChat, 'tags' | 'agent' | 'spent'> {
  /** empty for an agent that does not say */
  client: string | null
  spent: Spent[] | null
  tags: Record<string, string>
  key: string
  pinned: boolean
}

/** The columns of a `chats c` that its owner sees. */
const summaryColumns = `${publicId('c')} as id, c.title, c.tags,
  epoch_ms(c.created_at) as "createdAt", epoch_ms(c.updated_at) as "updatedAt",
  epoch_ms(c.pinned_at) as "pinnedAt", epoch_ms(c.archived_at) as "archivedAt",
  ${messageCount('c')} as "messageCount",
  (select count(*)::int from branches b where b.chat_id = c.id and b.archived_at is null) as "branchCount",
  exists (select from branches b where b.chat_id = c.id and b.archived_at is null
    and (select m.holds from messages m
      where m.chat_id = b.chat_id and m.lane = b.head_lane and m.depth = b.head_depth) like '%question%') as waits,
  case when c.metadata #>> '{imported,origin}' ~* '^https?://' then json_build_object(
    'source', c.metadata #>> '{imported,source}', 'url', c.metadata #>> '{imported,origin}') end as origin,
  (select coalesce(g.client, '') from agent_branches g where g.chat_id = c.id order by g.called_at desc limit 1) as client,
  (select json_agg(row_to_json(s)) from (
    select u.model, ${sums} from usage_days u where u.chat_id = c.id group by u.model order by u.model) s) as spent,
  exists (select from runs r where r.chat_id = c.id and r.status in ('queued', 'running'))
    or exists (select from replays p where p.chat_id = c.id and p.status = 'running') as replying`

/** A chat of the list; the stored tags are spellings by key. */
const toListed = ({ tags, client, spent, ...row }: Omit<ListedRow, 'key' | 'pinned'>): ListedChat => ({
  ...row,
  agent: client === null ? null : agentClientOf(client),
  spent: spent ?? [],
  tags: Object.values(tags).sort((a, b) => a.localeCompare(b, 'en')),
})

const lowTitle = `lower(coalesce(c.title, 'Untitled chat'))`

/** Each order's sort key: `value` is compared, `key` is its text in a cursor, and `cursor` that text as a value again. */
const orders = {
  updated: timeOrder('c.updated_at'),
  created: timeOrder('c.created_at'),
  title: { value: lowTitle, key: lowTitle, cursor: '$8::text', latestFirst: false },
}

// the value stays a time: the text of each of 10,000 chats takes longer to make than they take to sort
function timeOrder(column: string) {
  return {
    value: column,
    key: `(extract(epoch from ${column}) * 1000000)::bigint::text`,
    cursor: `(timestamptz 'epoch' + $8::bigint * interval '1 microsecond')`,
    latestFirst: true,
  }
}

/** The chats `c` of a filter, with `filterValues`: $1 owner, $2 archived, $3 the key of a tag, $4 a part of the title, $5 agents */
const inFilter = `c.user_id = $1 and (c.archived_at is not null) = $2::boolean
  and ($3::text is null or c.tags ? $3::text)
  and ($4::text is null or strpos(${lowTitle}, lower($4::text)) > 0)
  and ($5::boolean is null or exists (select from agent_branches g where g.chat_id = c.id) = $5::boolean)`

/** The values that `inFilter` names. */
const filterValues = (ownerId: string, { archived = false, tag, q, agents }: ChatFilter): unknown[] => [
  ownerId,
  archived,
  tag ?? null,
  q || null,
  agents ?? null,
]

/** The chats `c` that are meant, and the values the condition names. */
export function pickedChats(ownerId: string, picked: PickedChats): { where: string; params: unknown[] } {
  if ('ids' in picked) {
    return { where: `c.user_id = $1 and ${publicId('c')} = any ($2::text[])`, params: [ownerId, picked.ids] }
  }
  return {
    where: `${inFilter} and ${publicId('c')} <> all ($6::text[])`,
    params: [...filterValues(ownerId, picked.filter), picked.except ?? []],
  }
}

/**
 * A page of an owner's chats. All their rows are read and the best are kept: an index for the order would make each turn's
 * update of `updated_at` a slower one.
 */
export async function listChats(
  ask: Database['query'],
  ownerId: string,
  { sort, limit, after, ...filter }: ListOptions,
): Promise<ListedPage> {
  const { value, key, cursor, latestFirst } = orders[sort]
  // archived chats ignore their pin
  const pinned = '(c.pinned_at is not null and not $2::boolean)'
  const [first, than, way] = latestFirst ? [pinned, '<', 'desc'] : [`(not ${pinned})`, '>', 'asc']
  const from = latestFirst ? '$7::boolean' : '(not $7::boolean)'
  const order = `${first} ${way}, ${value} ${way}, ${publicId('c')} ${way}`
  const rows = await ask<ListedRow>(
    `select ${summaryColumns}, ${key} as key, ${pinned} as pinned
    from (
      select c.* from chats c where ${inFilter}
        and ($9::text is null or (${first}, ${value}, ${publicId('c')}) ${than} (${from}, ${cursor}, $9::text))
      order by ${order} limit $6
    ) c order by ${order}`,
    [
      ...filterValues(ownerId, filter),
      limit + 1,
      after?.pinned ?? null,
      after?.key ?? null,
      after?.id ?? null,
    ],
  )
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return {
    chats: shown.map(({ key: _key, pinned: _pinned, ...row }) => toListed(row)),
    next: last && { pinned: last.pinned, key: last.key, id: last.id },
  }
}

/** Counts the chats of an owner that a filter finds. */
export async function countChats(
  ask: Database['query'],
  ownerId: string,
  filter: ChatFilter,
): Promise<number> {
  const [row] = await ask<{ count: number }>(
    `select count(*)::int as count from chats c where ${inFilter}`,
    filterValues(ownerId, filter),
  )
  return row?.count ?? 0
}

/** The chat that an owner calls by this id. */
export async function chatSummary(
  ask: Database['query'],
  ownerId: string,
  called: string,
): Promise<ListedChat | undefined> {
  const [row] = await ask<ListedRow>(
    `select ${summaryColumns} from chats c where c.user_id = $1 and ${publicId('c')} = $2`,
    [ownerId, called],
  )
  return row && toListed(row)
}

/** Maximum number of tags in a list. */
const MOST_TAGS = 1000

/** The tags of an owner's chats, each in its most frequent spelling. */
export async function tagsOf(ask: Database['query'], ownerId: string): Promise<TagCount[]> {
  const rows = await ask<TagCount>(
    `select mode() within group (order by t.value) as tag, count(*)::int as chats
    from chats c cross join lateral jsonb_each_text(c.tags) t
    where c.user_id = $1 and c.tags <> '{}' group by t.key order by count(*) desc, t.key limit $2`,
    [ownerId, MOST_TAGS],
  )
  return rows.sort((a, b) => a.tag.localeCompare(b.tag, 'en'))
}
