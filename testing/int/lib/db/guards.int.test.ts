import { beforeAll, expect, it } from 'vitest'
import { line } from '@/testing/contracts/store/story'
import { onEachDatabase, openedStore } from '@/testing/worlds/open-stores'

// Given a chat with two messages and a fork, when SQL is used to go round the engine, then the database refuses.

onEachDatabase('the database keeps its promises', ({ open }) => {
  const opened = openedStore(open)
  const run = (sql: string, params: unknown[] = []) => opened.database.query(sql, params)
  beforeAll(async () => {
    const { store } = opened
    for (const chatId of ['one', 'two']) {
      await store.upsertChat({ id: chatId, userId: 'ada', title: chatId })
      const main = await store.getActiveBranch(chatId)
      await store.commit({
        chatId,
        at: 1,
        contexts: [{ id: 'ctx', fragments: [], model: null }],
        steps: [
          {
            kind: 'append',
            branchId: main?.id ?? '',
            expectedHead: null,
            messages: [line(`${chatId}-q`), line(`${chatId}-a`)],
          },
        ],
      })
    }
    await run(`insert into lanes (chat_id, lane, base_depth) values ('two', 7, 0)`)
    await run(
      `insert into messages (chat_id, lane, depth, id, name, data, preview) values ('two', 7, 0, 'only-two', 'user', '{}', '')`,
    )
  })

  it.each(['messages', 'lanes', 'contexts', 'events'])('refuses UPDATE and TRUNCATE of %s', async (table) => {
    await expect(run(`update ${table} set chat_id = chat_id`)).rejects.toThrow('immutable')
    await expect(run(`truncate ${table} cascade`)).rejects.toThrow('immutable')
  })

  it.each(['messages', 'contexts', 'events'])('refuses DELETE of %s while the chat exists', async (table) => {
    await expect(run(`delete from ${table}`)).rejects.toThrow(/refused|foreign key/)
  })

  const message = (depth: number, parent: string, mergeParent = 'one-q') =>
    `insert into messages (chat_id, lane, depth, id, parent_id, merge_parent_id, name, data, preview)
    values ('one', 0, ${depth}, 'new', '${parent}', '${mergeParent}', 'user', '{}', '')`
  const laneBelow = (parent: number) =>
    `insert into lanes (chat_id, lane, parent_lane, base_depth) values ('one', 5, ${parent}, 1)`
  const update = (table: string, what: string, id = 'chat_id') =>
    `update ${table} set ${what} where ${id} = 'one'`
  it.each([
    ['a message with a hole above it', message(3, 'one-a'), 'contradicts its place'],
    ['a message whose parent is not the one above it', message(2, 'one-q'), 'contradicts its place'],
    ['a parent in another chat', message(2, 'two-a'), 'contradicts its place'],
    ['a second message in a place that is taken', message(1, 'one-q'), 'messages_pk'],
    ['a merge parent in another chat', message(2, 'one-a', 'only-two'), 'messages_merge_parent_message'],
    ['a lane that hangs from itself', laneBelow(5), 'lanes_no_cycle'],
    ['a lane that hangs from a later one', laneBelow(6), 'lanes_no_cycle'],
    [
      'a branch head in another chat',
      update('branches', 'head_lane = 7, head_depth = 0'),
      'branches_head_message',
    ],
    [
      'a checkpoint in another chat',
      `insert into checkpoints (chat_id, id, name, lane, depth) values ('one', 'k', 'k', 7, 0)`,
      'checkpoints_at_message',
    ],
    ['a chat without an active branch', update('chats', 'active_branch_id = null', 'id'), 'active_branch_id'],
    [
      'a chat whose active branch is elsewhere',
      update('chats', `active_branch_id = (select id from branches where chat_id = 'two')`, 'id'),
      'chats_active_branch',
    ],
    ['to lose the owner of a chat', `delete from "user" where id = 'ada'`, 'chats_user_id'],
  ])('refuses %s', (_what, sql, why) => expect(run(sql)).rejects.toThrow(why))

  it('refuses a second live run on one branch', async () => {
    const queue = (id: string) =>
      run(
        `insert into runs (chat_id, id, branch_id, reply_to, reply_id, model, status)
        select 'one', $1, id, 'one-q', 'r', 'demo:demo', 'queued' from branches where chat_id = 'one'`,
        [id],
      )
    await queue('first')
    await expect(queue('second')).rejects.toThrow('runs_one_live_per_branch')
  })

  it('lets a whole chat go in one statement', async () => {
    await run(`delete from chats where id = 'two'`)
    const left = await run(
      `select 1 from messages where chat_id = 'two' union all select 1 from events where chat_id = 'two'`,
    )
    expect(left).toEqual([])
  })

  it('has only keys that begin with chat_id inside a chat, foreign keys that stay inside it, and an index for each', async () => {
    const wrong = await run(`
      with scoped as (
        select c.oid, c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'chat_id'
        where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
      ), chat as (select attrelid, attnum from pg_attribute where attname = 'chat_id')
      select s.relname, k.conname, 'key does not begin with chat_id' as why from scoped s
      join pg_constraint k on k.conrelid = s.oid and k.contype in ('p', 'u')
      join chat on chat.attrelid = s.oid
      where k.conkey[1] <> chat.attnum and k.conname <> 'runs_id'
        -- what an agent says is looked up among all chats of its owner
        and k.conname <> 'agent_nodes_pk'
      union all
      select s.relname, k.conname, 'foreign key leaves the chat' from scoped s
      join pg_constraint k on k.conrelid = s.oid and k.contype = 'f' and k.conparentid = 0 and k.confrelid <> 'chats'::regclass
      join chat on chat.attrelid = s.oid where not chat.attnum = any (k.conkey)
        -- a file is its owner's, and several chats hold it
        and k.conname <> 'chat_files_of_file'
        -- a remote is its owner's, and several chats are exchanged with it
        and k.conname <> 'remote_refs_remote_id_remotes_id_fk'
        -- a proposal is made by another person
        and k.conname <> 'proposals_author_id_user_id_fk'
        -- a member is another person
        and k.conname <> 'chat_members_person_id_user_id_fk'
      union all
      select s.relname, k.conname, 'referencing columns have no index' from scoped s
      join pg_constraint k on k.conrelid = s.oid and k.contype = 'f' and k.conparentid = 0
      -- a head's depth changes at every turn: the index knows its lane
      where k.conname <> 'branches_head_message' and not exists (select 1 from pg_index i where i.indrelid = k.conrelid
        and (i.indkey::int2[])[0:array_length(k.conkey, 1) - 1] @> k.conkey)`)
    expect(wrong).toEqual([])
  })
})
