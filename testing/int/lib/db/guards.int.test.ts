import { beforeAll, expect, it } from 'vitest'
import { onEachDatabase, openedStore } from '@/testing/worlds/open-stores'

// Given a chat with two messages and a fork, when SQL is used to go round the engine, then the database refuses.

onEachDatabase('the database keeps its promises', ({ open }) => {
  const opened = openedStore(open)
  const run = (sql: string, params: unknown[] = []) => opened.database.query(sql, params)
  const text = (id: string, role: string) => ({
    id,
    name: role,
    data: { id, role, parts: [{ type: 'text', text: id }] },
    preview: id,
    createdAt: 1,
  })

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
            messages: [text(`${chatId}-q`, 'user'), text(`${chatId}-a`, 'assistant')],
          },
        ],
      })
    }
  })

  const insert = (place: { lane: number; depth: number; parent: string | null; chat?: string }) =>
    run(
      `insert into messages (chat_id, lane, depth, id, parent_id, name, data, preview) values ($1, $2, $3, 'new', $4, 'user', '{}', '')`,
      [place.chat ?? 'one', place.lane, place.depth, place.parent],
    )

  it.each(['messages', 'lanes', 'contexts', 'events'])('refuses UPDATE and TRUNCATE of %s', async (table) => {
    await expect(run(`update ${table} set chat_id = chat_id`)).rejects.toThrow('immutable')
    await expect(run(`truncate ${table} cascade`)).rejects.toThrow('immutable')
  })

  it.each(['messages', 'contexts', 'events'])('refuses DELETE of %s while the chat exists', async (table) => {
    await expect(run(`delete from ${table}`)).rejects.toThrow(/refused|foreign key/)
  })

  it('refuses a message with a hole above it', async () => {
    await expect(insert({ lane: 0, depth: 3, parent: 'one-a' })).rejects.toThrow('contradicts its place')
  })

  it('refuses a message whose parent is not the one above it', async () => {
    await expect(insert({ lane: 0, depth: 2, parent: 'one-q' })).rejects.toThrow('contradicts its place')
  })

  it('refuses a parent in another chat', async () => {
    await expect(insert({ lane: 0, depth: 2, parent: 'two-a' })).rejects.toThrow('contradicts its place')
  })

  it('refuses a second message in a place that is taken', async () => {
    await expect(insert({ lane: 0, depth: 1, parent: 'one-q' })).rejects.toThrow('messages_pk')
  })

  it('refuses a lane that hangs from itself or from a later one, so no cycle can exist', async () => {
    const lane = (parent: number) =>
      run(`insert into lanes (chat_id, lane, parent_lane, base_depth) values ('one', 5, $1, 1)`, [parent])
    await expect(lane(5)).rejects.toThrow('lanes_no_cycle')
    await expect(lane(6)).rejects.toThrow('lanes_no_cycle')
  })

  it('refuses a branch head, a checkpoint or a merge parent in another chat', async () => {
    await run(`insert into lanes (chat_id, lane, base_depth) values ('two', 7, 0)`)
    await run(
      `insert into messages (chat_id, lane, depth, id, name, data, preview) values ('two', 7, 0, 'only-two', 'user', '{}', '')`,
    )
    await expect(
      run(`update branches set head_lane = 7, head_depth = 0 where chat_id = 'one'`),
    ).rejects.toThrow('branches_head_message')
    await expect(
      run(`insert into checkpoints (chat_id, id, name, lane, depth) values ('one', 'k', 'k', 7, 0)`),
    ).rejects.toThrow('checkpoints_at_message')
    await expect(
      run(
        `insert into messages (chat_id, lane, depth, id, parent_id, merge_parent_id, name, data, preview)
        values ('one', 0, 2, 'm', 'one-a', 'only-two', 'user', '{}', '')`,
      ),
    ).rejects.toThrow('messages_merge_parent_message')
  })

  it('refuses a chat without an active branch, and one whose active branch is elsewhere', async () => {
    await expect(run(`update chats set active_branch_id = null where id = 'one'`)).rejects.toThrow(
      'active_branch_id',
    )
    await expect(
      run(
        `update chats set active_branch_id = (select id from branches where chat_id = 'two') where id = 'one'`,
      ),
    ).rejects.toThrow('chats_active_branch')
  })

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

  it('refuses to lose the owner of a chat, and lets a whole chat go in one statement', async () => {
    await expect(run(`delete from "user" where id = 'ada'`)).rejects.toThrow('chats_user_id')
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
        where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      ), chat as (select attrelid, attnum from pg_attribute where attname = 'chat_id')
      select s.relname, k.conname, 'key does not begin with chat_id' as why from scoped s
      join pg_constraint k on k.conrelid = s.oid and k.contype in ('p', 'u')
      join chat on chat.attrelid = s.oid
      where k.conkey[1] <> chat.attnum and k.conname <> 'runs_id'
        -- what an agent says is looked up among all chats of its owner
        and k.conname <> 'agent_nodes_pk'
      union all
      select s.relname, k.conname, 'foreign key leaves the chat' from scoped s
      join pg_constraint k on k.conrelid = s.oid and k.contype = 'f' and k.confrelid <> 'chats'::regclass
      join chat on chat.attrelid = s.oid where not chat.attnum = any (k.conkey)
        -- a file is its owner's, and several chats hold it
        and k.conname <> 'chat_files_of_file'
      union all
      select s.relname, k.conname, 'referencing columns have no index' from scoped s
      join pg_constraint k on k.conrelid = s.oid and k.contype = 'f'
      -- a head's depth changes at every turn: the index knows its lane
      where k.conname <> 'branches_head_message' and not exists (select 1 from pg_index i where i.indrelid = k.conrelid
        and (i.indkey::int2[])[0:array_length(k.conkey, 1) - 1] @> k.conkey)`)
    expect(wrong).toEqual([])
  })
})
