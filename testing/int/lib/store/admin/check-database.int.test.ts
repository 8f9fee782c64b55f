import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ContextData, canonicalJson } from '@/lib/context'
import { type Database, openDatabase } from '@/lib/db'
import { newId } from '@/lib/events'
import { checkDatabase, findingLine } from '@/lib/store/admin/check-database'
import { line } from '@/testing/contracts/store/story'
import { type OpenedStore, onEachDatabase } from '@/testing/worlds/open-stores'

function context(model: string): ContextData {
  const fragments = [{ name: 'role', data: 'Be kind' }]
  return {
    id: createHash('sha256').update(canonicalJson({ fragments, model })).digest('hex'),
    fragments,
    model,
  }
}

/** A chat that has a bit of everything: q1 → a1 → q2 → a2 on main, a fork, a second root, a late reply, a failed run. */
async function plant({ store }: OpenedStore): Promise<string> {
  const chatId = newId()
  const userId = 'ada'
  const [main, fork, root, late] = [newId(), newId(), newId(), newId()]
  const [first, second] = [context('demo:one'), context('demo:two')]
  const [done, failed, live] = [newId(), newId(), newId()]
  await store.upsertChat({ id: newId(), userId })
  const run = { kind: 'queue-run', model: 'demo:one', leaseMs: 30_000 } as const
  const error = { kind: 'provider', message: 'gone', advice: 'try again' }
  await store.commit({
    chatId,
    at: Date.now(),
    create: { userId, title: 'Trip', metadata: { days: 3 }, branchId: main, contextId: first.id },
    contexts: [first, second],
    steps: [
      { kind: 'append', branchId: main, expectedHead: null, messages: [line('q1'), line('a1'), line('q2')] },
      { ...run, runId: done, branchId: main, replyTo: 'q2', replyId: 'a2' },
      { kind: 'append', branchId: main, expectedHead: 'q2', messages: [line('a2', { runId: done })] },
      { kind: 'finish-run', runId: done, fence: 1, status: 'completed' },
      {
        ...{ kind: 'open-branch', branchId: fork, after: 'main', at: 'q1', fork: { messageId: 'q1' } },
        activate: true,
      },
      {
        ...{ kind: 'append', branchId: fork, expectedHead: 'q1', contextId: second.id },
        messages: [line('a3'), line('q4')],
      },
      {
        ...{ kind: 'open-branch', branchId: root, after: 'main', at: null, activate: false },
        fork: { messageId: 'q1', before: true },
      },
      { kind: 'append', branchId: root, expectedHead: null, messages: [line('q5')] },
      { ...run, runId: failed, branchId: fork, replyTo: 'q4', replyId: 'a6' },
      { kind: 'append', branchId: fork, expectedHead: 'q4', messages: [line('q6')] },
      {
        ...{ kind: 'append', branchId: fork, expectedHead: 'q4', orBranchId: late },
        messages: [line('a6', { runId: failed, status: 'failed' })],
      },
      { kind: 'finish-run', runId: failed, fence: 1, status: 'failed', error },
      { ...run, runId: live, branchId: fork, replyTo: 'q6', replyId: 'a7' },
      { kind: 'save-checkpoint', checkpointId: newId(), name: 'mark', messageId: 'a1' },
      { kind: 'save-checkpoint', checkpointId: newId(), name: 'mark', messageId: 'a3' },
      { kind: 'save-checkpoint', checkpointId: newId(), name: 'gone', messageId: 'q1' },
      { kind: 'remove-checkpoint', name: 'gone' },
      { kind: 'rename-branch', branchId: root, name: 'other' },
      { kind: 'archive-branch', branchId: root },
      { kind: 'update-chat', title: 'Rome', metadata: { days: 4, by: 'train' } },
    ],
  })
  await store.indexPending()
  return chatId
}

/** What is done to a chat with the guards off, and every invariant that it breaks. */
const damages: { what: string; sql: string; breaks: string[]; thing: string }[] = [
  {
    what: 'a message is given another parent',
    sql: `update messages set parent_id = 'q1' where chat_id = $1 and id = 'q2'`,
    breaks: ['message-place', 'thread-follows-chain'],
    thing: 'message q2',
  },
  {
    what: 'a message in the middle is lost',
    sql: `delete from messages where chat_id = $1 and id = 'a1'`,
    breaks: ['lane-base', 'message-place', 'message-recorded-once', 'ref-reaches-root'],
    thing: 'branch main',
  },
  {
    what: 'a lane is hung from somewhere else',
    sql: `update lanes set base_depth = 2 where chat_id = $1 and lane = 1`,
    breaks: ['message-place', 'ref-reaches-root'],
    thing: 'message a3',
  },
  {
    what: 'the lane of a fork of a fork hangs from nothing',
    sql: `update lanes set base_depth = 9 where chat_id = $1 and lane = 3`,
    breaks: ['lane-base', 'message-place', 'ref-reaches-root'],
    thing: 'branch main-v2-v2',
  },
  {
    what: 'a head points at nothing',
    sql: `update branches set head_depth = 40 where chat_id = $1 and name = 'main'`,
    breaks: ['head-follows-log', 'ref-reaches-root'],
    thing: 'branch main',
  },
  {
    what: 'a head goes back',
    sql: `update branches set head_depth = head_depth - 1 where chat_id = $1 and name = 'main'`,
    breaks: ['head-follows-log'],
    thing: 'branch main',
  },
  {
    what: 'a checkpoint points at nothing',
    sql: `update checkpoints set depth = 40 where chat_id = $1`,
    breaks: ['checkpoint-follows-log', 'ref-reaches-root'],
    thing: 'checkpoint mark',
  },
  {
    what: 'a checkpoint moves without a word',
    sql: `update checkpoints set lane = 0, depth = 0 where chat_id = $1`,
    breaks: ['checkpoint-follows-log'],
    thing: 'checkpoint mark',
  },
  {
    what: 'a checkpoint is lost',
    sql: `delete from checkpoints where chat_id = $1`,
    breaks: ['checkpoint-follows-log'],
    thing: 'checkpoint mark',
  },
  {
    what: 'it is called by the key of another chat of its owner',
    sql: `with other as (
        update chats set alias = 'away from ' || id
        where id = (select id from chats where user_id = 'ada' and last_seq = 1 and alias is null limit 1) returning id)
      update chats c set alias = other.id from other where c.id = $1`,
    breaks: ['chat-called-once'],
    thing: 'the chat',
  },
  {
    what: 'the chat opens on a branch it does not have',
    sql: `update chats set active_branch_id = 'nowhere' where id = $1`,
    breaks: ['active-branch-follows-log', 'one-active-branch'],
    thing: 'the chat',
  },
  {
    what: 'the chat opens on another branch without a word',
    sql: `update chats set active_branch_id = (select id from branches where chat_id = $1 and name = 'main') where id = $1`,
    breaks: ['active-branch-follows-log'],
    thing: 'the chat',
  },
  {
    what: 'a message names a run that is not there',
    sql: `update messages set run_id = 'nothing' where chat_id = $1 and id = 'a3'`,
    breaks: ['references-stay-inside'],
    thing: 'message a3',
  },
  {
    what: 'a completed run has no reply',
    sql: `update runs set reply_id = 'a9' where chat_id = $1 and status = 'completed'`,
    breaks: ['run-and-reply'],
    thing: 'message a2',
  },
  {
    what: 'a run says another end than its reply',
    sql: `update runs set status = 'completed' where chat_id = $1 and status = 'failed'`,
    breaks: ['run-and-reply'],
    thing: 'run ',
  },
  {
    what: 'a live run has its reply already',
    sql: `update runs set status = 'running', ended_at = null where chat_id = $1 and status = 'completed'`,
    breaks: ['run-and-reply'],
    thing: 'run ',
  },
  {
    what: 'a run answers another message',
    sql: `update runs set reply_to = 'a1' where chat_id = $1 and status = 'completed'`,
    breaks: ['run-and-reply'],
    thing: 'run ',
  },
  {
    what: 'a message that was indexed cannot be found',
    sql: `delete from message_search where chat_id = $1 and (lane, depth) = (select lane, depth from messages where chat_id = $1 and id = 'q2')`,
    breaks: ['search-is-complete'],
    thing: 'message q2',
  },
  {
    what: 'a message is found twice',
    sql: `insert into message_search select s.* from message_search s join messages m using (chat_id, lane, depth) where chat_id = $1 and m.id = 'q2'`,
    breaks: ['search-holds-messages-once'],
    thing: 'message q2',
  },
  {
    what: 'words of an agent stand on a branch that is not listed as its own',
    sql: `insert into agent_nodes (owner_id, hash, chat_id, message_id) select user_id, decode('00', 'hex'), id, 'q1' from chats where id = $1`,
    breaks: ['agent-branch-follows-log'],
    thing: 'branch ',
  },
  {
    what: 'an agent is steered without a word',
    sql: `insert into agent_steers (chat_id, branch_id, target_id) select id, active_branch_id, active_branch_id from chats where id = $1`,
    breaks: ['steering-follows-log'],
    thing: 'branch ',
  },
  {
    what: 'an event in the middle of the log is lost',
    sql: `delete from events where chat_id = $1 and type = 'ContextChanged'`,
    breaks: ['branch-context-follows-log', 'log-without-gaps', 'stream-without-gaps'],
    thing: 'the log',
  },
  {
    what: 'the last event is lost',
    sql: `delete from events where chat_id = $1 and seq = (select max(seq) from events where chat_id = $1)`,
    breaks: ['log-without-gaps', 'metadata-follows-log'],
    thing: 'the log',
  },
  {
    what: 'a number is skipped in a stream',
    sql: `update events set event_number = 99 where chat_id = $1 and type = 'ChatUpdated' and payload -> 'metadata' ? 'by'`,
    breaks: ['stream-without-gaps'],
    thing: 'stream ',
  },
  {
    what: 'an event is in the stream of no branch',
    sql: `update events set stream_id = 'nowhere', event_number = 1 where chat_id = $1 and type = 'ChatUpdated' and payload -> 'metadata' ? 'by'`,
    breaks: ['stream-without-gaps'],
    thing: 'stream nowhere',
  },
  {
    what: 'an event forgets its message',
    sql: `update events set message_id = null where chat_id = $1 and message_id = 'a2'`,
    breaks: ['checkpoint-after-reply', 'head-follows-log', 'message-recorded-once'],
    thing: 'message a2',
  },
  {
    what: 'an event records another message than it says',
    sql: `update events set payload = payload || '{"message_id": "q9"}' where chat_id = $1 and message_id = 'q2'`,
    breaks: ['message-recorded-once'],
    thing: 'message q2',
  },
  {
    what: 'a checkpoint follows no reply',
    sql: `update events set type = 'CheckpointCreated', message_id = null where chat_id = $1 and message_id = 'q6'`,
    breaks: ['checkpoint-after-reply', 'head-follows-log', 'message-recorded-once'],
    thing: 'event ',
  },
  {
    what: 'a reply has another checkpoint',
    sql: `update events set payload = payload || '{"checkpoint_id": "ckpt-9"}' where chat_id = $1 and type = 'CheckpointCreated' and payload ->> 'ai_message_id' = 'a2'`,
    breaks: ['checkpoint-after-reply'],
    thing: 'event ',
  },
  {
    what: 'a fork forgets where it began',
    sql: `update branches set from_event_number = 3 where chat_id = $1 and name = 'main-v2'`,
    breaks: ['stream-without-gaps', 'thread-follows-chain', 'thread-origin'],
    thing: 'branch main-v2',
  },
  {
    what: 'a ThreadForked names another thread',
    sql: `update events set payload = payload || '{"parent_thread_id": "x"}' where chat_id = $1 and type = 'ThreadForked'`,
    breaks: ['thread-origin'],
    thing: 'branch main-v2-v2',
  },
  {
    what: 'a fork and its event agree on the wrong place',
    sql: `with b as (update branches set from_event_number = 30 where chat_id = $1 and name = 'main-v2' returning id)
      update events set event_number = event_number + 28, payload = case type when 'ThreadForked'
        then payload || '{"from_event_number": 30}' else payload end where chat_id = $1 and stream_id = (select id from b)`,
    breaks: ['thread-follows-chain'],
    thing: 'branch main-v2',
  },
  {
    what: 'a branch is renamed without a word',
    sql: `update branches set name = 'mine' where chat_id = $1 and name = 'other'`,
    breaks: ['branch-name-follows-log'],
    thing: 'branch ',
  },
  {
    what: 'a branch is archived without a word',
    sql: `update branches set archived_at = now() where chat_id = $1 and name = 'main'`,
    breaks: ['archive-follows-log'],
    thing: 'branch main',
  },
  {
    what: 'a branch comes back without a word',
    sql: `update branches set archived_at = null where chat_id = $1 and name = 'other'`,
    breaks: ['archive-follows-log'],
    thing: 'branch other',
  },
  {
    what: 'a branch changes its context without a word',
    sql: `update branches set context_id = null where chat_id = $1 and name = 'main'`,
    breaks: ['branch-context-follows-log'],
    thing: 'branch main',
  },
  {
    what: 'the title changes without a word',
    sql: `update chats set title = 'Milan' where id = $1`,
    breaks: ['title-follows-log'],
    thing: 'the chat',
  },
  {
    what: 'metadata changes without a word',
    sql: `update chats set metadata = '{"days": 4, "by": "car"}' where id = $1`,
    breaks: ['metadata-follows-log'],
    thing: 'the chat',
  },
  {
    what: 'a context changes under its name',
    sql: `update contexts set model = 'demo:three' where chat_id = $1 and model = 'demo:two'`,
    breaks: ['context-hash'],
    thing: 'context ',
  },
]

onEachDatabase('checkDatabase', ({ open }) => {
  let opened: OpenedStore
  let database: Database
  let unguarded: Database

  beforeAll(async () => {
    opened = await open()
    database = opened.store.database
    // the setting belongs to a session; the embedded database has one, and only damage is done between on and off
    unguarded = opened.url ? await openDatabase({ url: opened.url, max: 1 }) : database
  })
  afterAll(async () => {
    if (unguarded !== database) await unguarded?.close()
    await opened?.close()
  })

  const damage = async (sql: string, params: unknown[]) => {
    await unguarded.query(`set session_replication_role = replica`)
    await unguarded.query(sql, params).finally(() => unguarded.query('set session_replication_role = origin'))
  }

  test('given a chat with a bit of everything, when it is checked, then nothing is found', async () => {
    const chatId = await plant(opened)

    expect(await checkDatabase(database, { chatId })).toEqual([])
  })

  test.each(damages)(
    'given that $what, when checked, then the check names it',
    async ({ sql, breaks, thing }) => {
      const [chatId, healthy] = [await plant(opened), await plant(opened)]
      await damage(sql, [chatId])

      const findings = await checkDatabase(database, { chatId })

      expect([...new Set(findings.map(({ invariant }) => invariant))].sort()).toEqual([...breaks].sort())
      expect(findings.filter((finding) => finding.thing.startsWith(thing))).not.toEqual([])
      for (const finding of findings) {
        expect(finding.chatId).toBe(chatId)
        expect(findingLine(finding)).toMatch(/^chat \S+, .+: .+ \[[a-z-]+\]\. .+\.$/)
      }
      const everywhere = await checkDatabase(database)
      expect(everywhere.filter((finding) => finding.chatId === chatId)).toEqual(findings)
      expect(everywhere.filter((finding) => finding.chatId === healthy)).toEqual([])
    },
  )

  test('given a second live run on a branch, when checked, then it is named', async () => {
    const chatId = await plant(opened)
    await unguarded.query('drop index runs_one_live_per_branch')
    await damage(
      `update runs set status = 'queued', ended_at = null where chat_id = $1 and status = 'failed'`,
      [chatId],
    )

    const findings = await checkDatabase(database, { chatId })

    expect(findings.map(({ invariant, thing }) => [invariant, thing])).toContainEqual([
      'one-live-run',
      'branch main-v2',
    ])
  })
})
