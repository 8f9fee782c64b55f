import { expect, it } from 'vitest'
import { newId } from '@/lib/events'
import { createThread, forkThread, sendMessage } from '@/lib/server/api/commands'
import type { Operation } from '@/lib/server/api/operation'
import { readMessages } from '@/lib/server/api/threads'
import { cherryPick, compactThread, mergeThreads, previewMerge } from '@/lib/server/api/verbs/merges'
import { checkDatabase } from '@/lib/store'
import { rowCounts } from '@/testing/worlds/ada-threads'
import { useApi } from '@/testing/worlds/api-world'
import { onOneDatabase } from '@/testing/worlds/open-stores'

onOneDatabase('the commands of merges', ({ name }) => {
  const api = useApi(name, { RAMIFY_WORKER: 'off' })

  /** A person's script. */
  const script = async () => {
    const { ask } = await (await api.person()).script()
    return (operation: Operation, body?: object, { thread = '', key = '' } = {}) =>
      ask(operation, { id: thread, body, ...(key && { headers: { 'idempotency-key': key } }) })
  }
  const { answerAll } = api
  type Ask = Awaited<ReturnType<typeof script>>

  /** A chat with a question and its reply, and a fork after them; both go on with a turn of their own. */
  const twoThreads = async (ask: Ask) => {
    const { body: made } = await ask(createThread, {})
    const say = async (thread_id: string, content: string) => {
      const sent = await ask(sendMessage, { thread_id, content })
      expect(sent.status, sent.text).toBe(202)
      await answerAll()
    }
    await say(made.thread_id, 'I am Ada. Where shall we go?')
    const fork = { source_thread_id: made.thread_id, event_number: 4 }
    const side: string = (await ask(forkThread, fork)).body.thread_id
    await say(side, 'What of Porto?')
    await say(made.thread_id, 'What of Lisbon?')
    const main: string = made.thread_id
    return { chat: made.chat_id as string, main, side, say }
  }
  const messagesOf = async (ask: Ask, thread: string): Promise<{ message_id: string; content: string }[]> =>
    (await ask(readMessages, undefined, { thread })).body.messages

  it('given messages of another thread, when they are picked or the thread is compacted, then copies and a summary are there', async () => {
    const ask = await script()
    const { chat, main, side } = await twoThreads(ask)
    const from = (await messagesOf(ask, side)).slice(2)

    const message_ids = from.map(({ message_id }) => message_id)
    const picked = await ask(cherryPick, { target_thread_id: main, message_ids })
    expect(picked.status).toBe(201)
    expect(picked.body).toMatchObject({ chat_id: chat, thread_id: main })
    expect((await messagesOf(ask, main)).slice(-2)).toMatchObject(
      picked.body.message_ids.map((message_id: string, at: number) => ({
        message_id,
        content: from[at]?.content,
      })),
    )
    const compacted = await ask(compactThread, { thread_id: main, summary: 'Ada asks about two cities.' })
    expect(compacted.status).toBe(201)
    const [only, ...more] = await messagesOf(ask, compacted.body.thread_id)
    expect(more).toEqual([])
    const summary = /^Summary of the 6 messages of branch “Main line” .+\n\nAda asks about two cities\.$/
    expect(only?.content).toMatch(summary)
    // without a summary it is a digest of what was said
    const part = { thread_id: main, message_id: from[0]?.message_id }
    expect((await ask(compactThread, part)).status).toBe(404)
    const whole = await ask(compactThread, { thread_id: side })
    expect((await messagesOf(ask, whole.body.thread_id))[0]?.content).toContain('What of Porto?')
    expect(await checkDatabase(api.services.database)).toEqual([])
  })

  it('given input that makes no sense, then it is refused with its status, and nothing changes', async () => {
    const ask = await script()
    const { main, side, say } = await twoThreads(ask)
    const { main: elsewhere } = await twoThreads(ask)
    const [first, reply] = await messagesOf(ask, main)
    const [, , own] = await messagesOf(ask, side)
    const [foreign] = await messagesOf(ask, elsewhere)
    const [firstId, ownId] = [first?.message_id, own?.message_id]
    const both = { source_thread_id: side, target_thread_id: main }
    const brief = { ...both, mode: 'brief', brief: 'Said.' }
    const { body: empty } = await ask(createThread, {})
    const pick = { target_thread_id: main, message_ids: [ownId] }
    const twice = { source_thread_id: empty.thread_id, target_thread_id: empty.thread_id }
    const ends = { source_message_id: null, target_message_id: null }
    const conflict = { id: 'c', about: 'x', source: 'a', target: 'b', ...ends }
    const unknown = { ...conflict, source_message_id: 'nothing' }
    const quote = { message_id: foreign?.message_id, text: 'x' }
    const table: [Operation, object, number, string][] = [
      [cherryPick, { ...pick, message_ids: [] }, 400, 'nothing_picked'],
      [cherryPick, { ...pick, message_ids: [ownId, ownId] }, 400, 'picked_twice'],
      [cherryPick, { ...pick, message_ids: [firstId] }, 409, 'already_there'],
      [cherryPick, { ...pick, message_ids: [ownId, reply?.message_id] }, 409, 'already_there'],
      [cherryPick, { ...pick, message_ids: ['nothing'] }, 404, 'not_found'],
      [cherryPick, { ...pick, message_ids: ['nul\0'] }, 400, 'invalid'],
      [cherryPick, { ...pick, message_ids: [foreign?.message_id] }, 404, 'not_found'],
      [cherryPick, { ...pick, target_thread_id: 'nothing' }, 404, 'not_found'],
      [cherryPick, { ...pick, message_ids: ownId }, 400, 'invalid'],
      [cherryPick, { ...pick, expected_version: 1 }, 409, 'expected_version'],
      [cherryPick, { target_thread: main, message_ids: [ownId] }, 400, 'invalid'],
      [previewMerge, { ...both, source_thread_id: main }, 409, 'nothing_to_merge'],
      [previewMerge, { ...both, mode: 'context' }, 409, 'nothing_to_merge'],
      [previewMerge, { ...both, source_thread_id: elsewhere }, 404, 'not_found'],
      [previewMerge, { ...both, mode: 'rebase' }, 400, 'invalid'],
      [mergeThreads, { ...brief, source_thread_id: main }, 409, 'nothing_to_merge'],
      [mergeThreads, { ...brief, source_thread_id: elsewhere }, 404, 'not_found'],
      [mergeThreads, { ...brief, target_thread_id: 'nothing' }, 404, 'not_found'],
      [mergeThreads, { ...brief, ...twice }, 409, 'nothing_to_merge'],
      [mergeThreads, both, 400, 'invalid'],
      [mergeThreads, { ...brief, brief: '  ' }, 400, 'empty_message'],
      [mergeThreads, { ...brief, brief: 'x'.repeat(100_001) }, 400, 'message_too_long'],
      [mergeThreads, { ...brief, brief: 'nul\0' }, 400, 'invalid'],
      [mergeThreads, { ...brief, resolutions: { nothing: 'source' } }, 400, 'unknown_conflict'],
      [mergeThreads, { ...brief, conflicts: [conflict], resolutions: { c: 'both' } }, 400, 'invalid'],
      [mergeThreads, { ...brief, conflicts: [unknown] }, 404, 'not_found'],
      [mergeThreads, { ...brief, quotes: [quote] }, 404, 'not_found'],
      [mergeThreads, { ...brief, expected_version: 1 }, 409, 'expected_version'],
      [mergeThreads, { ...brief, mode: 'context' }, 409, 'nothing_to_merge'],
      [compactThread, { thread_id: 'nothing' }, 404, 'not_found'],
      [compactThread, { thread_id: empty.thread_id }, 409, 'nothing_to_merge'],
      [compactThread, { thread_id: main, summary: '' }, 400, 'empty_message'],
      [compactThread, { thread_id: main, message_id: ownId }, 404, 'not_found'],
    ]
    const rows = await rowCounts(api.services)
    for (const [operation, body, status, code] of table) {
      const refused = await ask(operation, body, { key: newId() })
      expect([refused.status, refused.body.code], JSON.stringify(body)).toEqual([status, code])
    }
    expect(await rowCounts(api.services)).toEqual(rows)

    // another person gets what a thread that is missing gets, byte for byte
    const other = await script()
    for (const [operation, body] of [
      [cherryPick, pick],
      [previewMerge, both],
      [mergeThreads, brief],
      [compactThread, { thread_id: main }],
    ] as const) {
      const missing = JSON.parse(JSON.stringify(body).replaceAll(main, 'nothing').replaceAll(side, 'no'))
      const { status, text } = await other(operation, body)
      expect([status, text], operation.id).toEqual([404, (await other(operation, missing)).text])
    }
    expect(await rowCounts(api.services)).toEqual(rows)

    // while a reply is being written on one side, the words say on which
    await ask(sendMessage, { thread_id: side, content: 'And Faro?' })
    const latest = (await messagesOf(ask, main)).at(-1)?.message_id
    for (const [operation, body] of [
      [previewMerge, both],
      [mergeThreads, brief],
      [cherryPick, { target_thread_id: side, message_ids: [latest] }],
      [compactThread, { thread_id: side }],
    ] as const) {
      const { body: refused } = await ask(operation, body)
      expect(refused.code, operation.id).toBe('reply_in_progress')
      expect(refused.detail).toMatch(/^A reply is being written on the (branch|main line)\./)
    }
    await answerAll()
    await say(side, 'And Braga?')
    expect((await ask(mergeThreads, brief)).status).toBe(201)
  })
})
