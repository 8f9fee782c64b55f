import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Change, type ContextData, canonicalJson, type Step } from '@/lib/context'
import { type Database, openDatabase } from '@/lib/db'
import { newId } from '@/lib/events'
import { checkDatabase, findingLine } from '@/lib/store/admin/check-database'
import type { DrizzleContextStore } from '@/lib/store/writes/drizzle-context-store'
import { line } from '@/testing/contracts/store/story'
import { onEachDatabase, openedStore } from '@/testing/worlds/open-stores'

function context(model: string): ContextData {
  const fragments = [{ name: 'role', data: 'Be kind' }]
  const id = createHash('sha256').update(canonicalJson({ fragments, model })).digest('hex')
  return { id, fragments, model }
}

/** A chat that has a bit of everything: q1 → a1 → q2 → a2 on main, a fork, a second root, a late reply, a failed run. */
async function plant(store: DrizzleContextStore): Promise<string> {
  const chatId = newId()
  const userId = 'ada'
  const [main, fork, root, late] = [newId(), newId(), newId(), newId()]
  const [first, second] = [context('demo:one'), context('demo:two')]
  const [done, failed, live] = [newId(), newId(), newId()]
  await store.upsertChat({ id: newId(), userId })
  const run = { kind: 'queue-run', model: 'demo:one', leaseMs: 30_000 } as const
  const openBranch = { kind: 'open-branch', after: 'main' } as const
  const error = { kind: 'provider', message: 'gone', advice: 'try again' }
  const commit = (steps: Step[], more: Partial<Change> = {}) =>
    store.commit({ chatId, at: Date.now(), steps, ...more })
  const create = { userId, title: 'Trip', metadata: { days: 3 }, branchId: main, contextId: first.id }
  // a message names a run that is there before it
  await commit(
    [
      { kind: 'append', branchId: main, expectedHead: null, messages: [line('q1'), line('a1'), line('q2')] },
      { ...run, runId: done, branchId: main, replyTo: 'q2', replyId: 'a2' },
    ],
    { create, contexts: [first, second] },
  )
  await commit([
    { kind: 'append', branchId: main, expectedHead: 'q2', messages: [line('a2', { runId: done })] },
    { kind: 'finish-run', runId: done, fence: 1, status: 'completed' },
    { ...openBranch, branchId: fork, at: 'q1', fork: { messageId: 'q1' }, activate: true },
    {
      kind: 'append',
      branchId: fork,
      expectedHead: 'q1',
      contextId: second.id,
      messages: [line('a3'), line('q4')],
    },
    { ...openBranch, branchId: root, at: null, activate: false, fork: { messageId: 'q1', before: true } },
    { kind: 'append', branchId: root, expectedHead: null, messages: [line('q5')] },
    { ...run, runId: failed, branchId: fork, replyTo: 'q4', replyId: 'a6' },
  ])
  await commit([
    { kind: 'append', branchId: fork, expectedHead: 'q4', messages: [line('q6')] },
    {
      kind: 'append',
      branchId: fork,
      expectedHead: 'q4',
      orBranchId: late,
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
  ])
  await store.indexPending()
  return chatId
}

/** Three lines each: the damage that is done to a chat with the guards off, its SQL, and what the check says of it. */
const damages = `
  a message is given another parent
    update messages set parent_id = 'q1' where chat_id = $1 and id = 'q2'
    message q2: message-place, thread-follows-chain
  a message in the middle is lost
    delete from messages where chat_id = $1 and id = 'a1'
    branch main: lane-base, message-place, message-recorded-once, ref-reaches-root
  a lane is hung from somewhere else
    update lanes set base_depth = 2 where chat_id = $1 and lane = 1
    message a3: message-place, ref-reaches-root
  the lane of a fork of a fork hangs from nothing
    update lanes set base_depth = 9 where chat_id = $1 and lane = 3
    branch main-v2-v2: lane-base, message-place, ref-reaches-root
  a head points at nothing
    update branches set head_depth = 40 where chat_id = $1 and name = 'main'
    branch main: follows-log, ref-reaches-root
  a head goes back
    update branches set head_depth = head_depth - 1 where chat_id = $1 and name = 'main'
    branch main: follows-log
  a checkpoint points at nothing
    update checkpoints set depth = 40 where chat_id = $1
    checkpoint mark: follows-log, ref-reaches-root
  a checkpoint moves without a word
    update checkpoints set lane = 0, depth = 0 where chat_id = $1
    checkpoint mark: follows-log
  a checkpoint is lost
    delete from checkpoints where chat_id = $1
    checkpoint mark: follows-log
  it is called by the key of another chat of its owner
    with other as ( \
      update chats set alias = 'away from ' || id \
      where id = (select id from chats where user_id = 'ada' and last_seq = 1 and alias is null limit 1) returning id) \
      update chats c set alias = other.id from other where c.id = $1
    the chat: chat-called-once
  the chat opens on a branch it does not have
    update chats set active_branch_id = 'nowhere' where id = $1
    the chat: follows-log, one-active-branch
  the chat opens on another branch without a word
    update chats set active_branch_id = (select id from branches where chat_id = $1 and name = 'main') where id = $1
    the chat: follows-log
  a message names a run that is not there
    update messages set run_id = 'nothing' where chat_id = $1 and id = 'a3'
    message a3: references-stay-inside
  a completed run has no reply
    update runs set reply_id = 'a9' where chat_id = $1 and status = 'completed'
    message a2: run-and-reply
  a run says another end than its reply
    update runs set status = 'completed' where chat_id = $1 and status = 'failed'
    run: run-and-reply
  a live run has its reply already
    update runs set status = 'running', ended_at = null where chat_id = $1 and status = 'completed'
    run: run-and-reply
  a branch has two live runs
    update runs set status = 'queued', ended_at = null where chat_id = $1 and status = 'failed'
    branch main-v2: one-live-run, run-and-reply
  a run answers another message
    update runs set reply_to = 'a1' where chat_id = $1 and status = 'completed'
    run: run-and-reply
  a message that was indexed cannot be found
    delete from message_search where chat_id = $1 and (lane, depth) = (select lane, depth from messages where chat_id = $1 and id = 'q2')
    message q2: search-is-complete
  a message is found twice
    insert into message_search select s.* from message_search s join messages m using (chat_id, lane, depth) where chat_id = $1 and m.id = 'q2'
    message q2: search-holds-messages-once
  words of an agent stand on a branch that is not listed as its own
    insert into agent_nodes (owner_id, hash, chat_id, message_id) select user_id, decode('00', 'hex'), id, 'q1' from chats where id = $1
    branch: follows-log
  an agent is steered without a word
    insert into agent_steers (chat_id, branch_id, target_id) select id, active_branch_id, active_branch_id from chats where id = $1
    branch: follows-log
  an event in the middle of the log is lost
    delete from events where chat_id = $1 and type = 'ContextChanged'
    the log: log-is-whole, log-without-gaps, stream-without-gaps
  the last event is lost
    delete from events where chat_id = $1 and seq = (select max(seq) from events where chat_id = $1)
    the log: log-is-whole, log-without-gaps
  a number is skipped in a stream
    update events set event_number = 99 where chat_id = $1 and type = 'ChatUpdated' and payload -> 'metadata' ? 'by'
    stream: log-is-whole, stream-without-gaps
  an event is in the stream of no branch
    update events set stream_id = 'nowhere', event_number = 1 where chat_id = $1 and type = 'ChatUpdated' and payload -> 'metadata' ? 'by'
    stream nowhere: log-is-whole, stream-without-gaps
  an event forgets its message
    update events set message_id = null where chat_id = $1 and message_id = 'a2'
    message a2: checkpoint-after-reply, message-recorded-once
  an event records another message than it says
    update events set payload = payload || '{"message_id": "q9"}' where chat_id = $1 and message_id = 'q2'
    message q2: message-recorded-once
  a checkpoint follows no reply
    update events set type = 'CheckpointCreated', message_id = null where chat_id = $1 and message_id = 'q6'
    event: checkpoint-after-reply, log-is-whole, message-recorded-once
  a reply has another checkpoint
    update events set payload = payload || '{"checkpoint_id": "ckpt-9"}' where chat_id = $1 and type = 'CheckpointCreated' and payload ->> 'ai_message_id' = 'a2'
    event: checkpoint-after-reply
  a fork forgets where it began
    update branches set from_event_number = 3 where chat_id = $1 and name = 'main-v2'
    branch main-v2: follows-log, stream-without-gaps, thread-follows-chain, thread-origin
  a ThreadForked names another thread
    update events set payload = payload || '{"parent_thread_id": "x"}' where chat_id = $1 and type = 'ThreadForked'
    branch main-v2-v2: log-is-whole, thread-origin
  a fork and its event agree on the wrong place
    with b as (update branches set from_event_number = 30 where chat_id = $1 and name = 'main-v2' returning id) \
      update events set event_number = event_number + 28, payload = case type when 'ThreadForked' \
      then payload || '{"from_event_number": 30}' else payload end where chat_id = $1 and stream_id = (select id from b)
    branch main-v2: thread-follows-chain
  a branch is renamed without a word
    update branches set name = 'mine' where chat_id = $1 and name = 'other'
    branch: follows-log
  a branch is archived without a word
    update branches set archived_at = now() where chat_id = $1 and name = 'main'
    branch main: follows-log
  a branch comes back without a word
    update branches set archived_at = null where chat_id = $1 and name = 'other'
    branch other: follows-log
  a branch changes its context without a word
    update branches set context_id = null where chat_id = $1 and name = 'main'
    branch main: follows-log
  the title changes without a word
    update chats set title = 'Milan' where id = $1
    the chat: follows-log
  metadata changes without a word
    update chats set metadata = '{"days": 4, "by": "car"}' where id = $1
    the chat: follows-log
  a context changes under its name
    update contexts set model = 'demo:three' where chat_id = $1 and model = 'demo:two'
    context: context-hash
`
  .trim()
  .split(/\n(?= {2}\S)/)
  .map((damage) => damage.split('\n').map((text) => text.trim()))

onEachDatabase('checkDatabase', ({ name, open }) => {
  const opened = openedStore(open)
  /** one session, for transactions that are rolled back */
  let database: Database
  let chatId: string
  let healthy: string

  beforeAll(async () => {
    chatId = await plant(opened.store)
    healthy = await plant(opened.store)
    database = opened.url ? await openDatabase({ url: opened.url, max: 1 }) : opened.database
  })
  afterAll(() => (opened.url ? database?.close() : undefined))

  /** Does some work while the chat is damaged, with the guards off, and takes the damage back. */
  async function whileDamaged(sql: string, work: () => Promise<void>): Promise<void> {
    await database.query('begin')
    try {
      await database.query('set local session_replication_role = replica')
      await database.query('drop index runs_one_live_per_branch')
      await database.query(sql, [chatId])
      await database.query('set local session_replication_role = origin')
      await work()
    } finally {
      await database.query('rollback')
    }
  }

  test('given chats with a bit of everything, when they are checked, then nothing is found', async () => {
    expect(await checkDatabase(database)).toEqual([])
    expect(await checkDatabase(database, { chatId })).toEqual([])
  })

  test.each(damages)('given that %s, when checked, then the check names it', (_, sql = '', breaks = '') =>
    whileDamaged(sql, async () => {
      // a check has two statements, one for a chat and one for all: each database is asked one of them
      const findings = await checkDatabase(database, name === 'pglite' ? { chatId } : {})

      const [first = '', invariants] = breaks.split(': ')
      expect([...new Set(findings.map(({ invariant }) => invariant))].sort().join(', ')).toBe(invariants)
      expect(findings.filter(({ thing }) => thing.startsWith(first))).not.toEqual([])
      for (const finding of findings) {
        expect(finding.chatId).toBe(chatId)
        expect(findingLine(finding)).toMatch(/^chat \S+, .+: .+ \[[a-z-]+\]\. .+\.$/)
      }
      if (name === 'postgres') expect(await checkDatabase(database, { chatId: healthy })).toEqual([])
    }),
  )
})
