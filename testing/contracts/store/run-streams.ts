import type { UIMessageChunk } from 'ai'
import { expect, test } from 'vitest'
import { NotFoundError, type RunPage, type RunPosition } from '@/lib/context'
import { newId } from '@/lib/events'
import { type GetStore, line, Story } from './story'

const LEASE = 30_000

const words = (...texts: string[]): UIMessageChunk[] =>
  texts.map((delta) => ({ type: 'text-delta', id: 't', delta }))
const said = (pages: readonly RunPage[]): string =>
  pages.flatMap(({ parts }) => parts.map((part) => (part.type === 'text-delta' ? part.delta : ''))).join('')

/** What `ContextStore.runs` promises: replay, follow, cancel, reopen. */
export function describeRunStreams(getStore: GetStore): void {
  const queued = async () => {
    const story = await Story.saying(getStore(), 'q1')
    const { store, chatId, main: branchId } = story
    const runId = newId()
    const base = { runId, branchId, replyTo: 'q1', replyId: 'a1', model: 'demo:demo' }
    await story.commit([{ kind: 'queue-run', ...base }])
    const { runs } = store
    const end = (fence: number, status: 'completed' | 'failed' = 'completed') =>
      story.commit([
        { kind: 'append', branchId, expectedHead: 'q1', messages: [line('a1', { runId })] },
        { kind: 'finish-run', runId, fence, status },
      ])
    const write = (fence: number, attempt: number, number: number, ...texts: string[]) =>
      runs.append({ chatId, runId, fence, attempt, number, parts: words(...texts) })
    const replay = (after?: RunPosition) => runs.replay(chatId, runId, after)
    const follow = (options?: Parameters<typeof runs.follow>[2]) => runs.follow(chatId, runId, options)
    return { story, runs, chatId, runId, base, end, write, replay, follow }
  }

  /** Reads pages until one satisfies the test, or the run is over. */
  const until = async (pages: AsyncGenerator<RunPage, void>, isLast: (page: RunPage) => boolean) => {
    const read: RunPage[] = []
    for (;;) {
      const { value } = await pages.next()
      if (!value) return read
      read.push(value)
      if (isLast(value)) return read
    }
  }
  const ends = ({ status }: RunPage) => status !== 'queued' && status !== 'running'

  test('given a queued run, when it is claimed, then one caller holds it', async () => {
    const { runs, chatId, runId, base } = await queued()
    const stored = { contextId: null, answers: null, continues: null, attempt: 1 }
    const { kind: _, ...record } = { kind: 'queue-run', ...base, chatId, ...stored }
    expect(await runs.find(chatId, runId)).toEqual({ ...record, status: 'queued', fence: 0 })

    const [first, second] = await Promise.all([
      runs.claim(chatId, runId, LEASE),
      runs.claim(chatId, runId, LEASE),
    ])

    expect([first, second].filter((claimed) => claimed !== undefined)).toEqual([
      { ...record, status: 'running', fence: 1, stopping: false },
    ])
    expect(await runs.claim(chatId, newId(), LEASE)).toBeUndefined()
    expect(await runs.find(newId(), runId)).toBeUndefined()
  })

  test('given parts that were written, when replayed, then all come in order, or those after a position', async () => {
    const { write, replay, runs, chatId, runId } = await queued()
    expect(await replay()).toEqual({ status: 'queued', attempt: 1, number: -1, parts: [] })
    await runs.claim(chatId, runId, LEASE)

    await write(1, 1, 0, 'one ', 'two ')
    await write(1, 1, 1, 'three ')
    await write(1, 1, 1, 'three ')
    await write(1, 1, 2)

    expect(await replay()).toEqual({
      status: 'running',
      attempt: 1,
      number: 1,
      parts: words('one ', 'two ', 'three '),
    })
    expect(await replay({ attempt: 1, number: 0 })).toMatchObject({ number: 1, parts: words('three ') })
    expect(await replay({ attempt: 1, number: 1 })).toMatchObject({ number: 1, parts: [] })
    expect(await runs.replay(chatId, newId())).toBeUndefined()
  })

  test('given a follower since before the claim, when the reply is written, then it reads all of it and the end', async () => {
    const { write, follow, runs, chatId, runId, end } = await queued()
    const pages = follow()
    const read = await until(pages, ({ status }) => status === 'queued')
    await runs.claim(chatId, runId, LEASE)
    read.push(...(await until(pages, ({ status }) => status === 'running')))
    expect(read).toMatchObject([{ status: 'queued' }, { status: 'running', parts: [] }])

    await write(1, 1, 0, 'one ')
    read.push(...(await until(pages, ({ parts }) => parts.length > 0)))
    const late = follow()
    await write(1, 1, 1, 'two')
    await end(1)

    read.push(...(await until(pages, ends)))
    expect(said(read)).toBe('one two')
    expect(read.at(-1)).toMatchObject({ status: 'completed', attempt: 1, number: 1 })
    expect((await pages.next()).done).toBe(true)
    expect(said(await until(late, ends))).toBe('one two')
    expect(said(await until(follow({ after: { attempt: 1, number: 0 } }), ends))).toBe('two')
    expect(await until(runs.follow(chatId, newId()), ends)).toEqual([])
  })

  test('given a follower that leaves, or a chat that is deleted, when it waits, then it ends', async () => {
    const { follow, story, chatId } = await queued()
    const leaving = new AbortController()
    const pages = follow({ signal: leaving.signal })
    const others = follow()
    const reading = follow({ signal: leaving.signal })
    await Promise.all([pages.next(), others.next(), reading.next()])

    const waits = pages.next()
    leaving.abort()
    expect((await waits).done).toBe(true)
    expect((await reading.next()).done).toBe(true)
    expect(await until(follow({ signal: leaving.signal }), ends)).toEqual([])
    const waitsToo = others.next()
    await story.store.deleteChat(chatId)
    expect((await waitsToo).done).toBe(true)
  })

  test('given a holder, when the run is reopened, then its parts are void and it is refused', async () => {
    const { write, replay, follow, runs, chatId, runId, end } = await queued()
    await runs.claim(chatId, runId, LEASE)
    await write(1, 1, 0, 'old ')
    const pages = follow()
    const read = await until(pages, ({ parts }) => parts.length > 0)

    const taken = await runs.reopen(chatId, runId, LEASE)

    expect(taken).toMatchObject({ status: 'running', attempt: 2, fence: 2, stopping: false })
    read.push(...(await until(pages, ({ attempt }) => attempt === 2)))
    expect(read.at(-1)).toEqual({ status: 'running', attempt: 2, number: -1, parts: [] })
    expect(await write(1, 1, 1, 'late')).toBeUndefined()
    expect(await write(2, 2, 0, 'new')).toEqual({ stopping: false })
    expect(await replay({ attempt: 1, number: 0 })).toMatchObject({ attempt: 2, parts: words('new') })
    await end(2)
    read.push(...(await until(pages, ends)))
    expect(said(read.filter(({ attempt }) => attempt === 1))).toBe('old ')
    expect(said(read.filter(({ attempt }) => attempt === 2))).toBe('new')
  })

  test('given a run that is over, when it would be written, claimed or reopened, then it stays as it is', async () => {
    const { write, replay, runs, chatId, runId, end } = await queued()
    await runs.claim(chatId, runId, LEASE)
    await write(1, 1, 0, 'all')
    await end(1, 'failed')
    const before = await replay()

    expect(await write(1, 1, 1, 'more')).toBeUndefined()
    expect(await runs.claim(chatId, runId, LEASE)).toBeUndefined()
    expect(await runs.reopen(chatId, runId, LEASE)).toBeUndefined()
    expect(await runs.cancel(chatId, runId)).toBe('failed')
    expect(await replay()).toEqual(before)
    expect(before).toMatchObject({ status: 'failed', parts: words('all') })
  })

  test('given a queued run, when cancelled, then it is stopped and its branch is free', async () => {
    const { runs, chatId, runId, base, story } = await queued()

    expect(await runs.cancel(chatId, runId)).toBe('stopped')

    expect(await runs.find(chatId, runId)).toMatchObject({ status: 'stopped' })
    await story.commit([{ kind: 'queue-run', ...base, runId: newId() }])
    const unknown = newId()
    await expect(runs.cancel(chatId, unknown)).rejects.toEqual(new NotFoundError('run', unknown))
  })

  test('given a running run, when cancelled, then its holder, and the next one, are told to stop', async () => {
    const { write, runs, chatId, runId } = await queued()
    await runs.claim(chatId, runId, LEASE)
    expect(await write(1, 1, 0, 'one')).toEqual({ stopping: false })

    expect(await runs.cancel(chatId, runId)).toBe('running')

    expect(await write(1, 1, 1)).toEqual({ stopping: true })
    expect(await runs.reopen(chatId, runId, LEASE)).toMatchObject({ stopping: true, fence: 2 })
  })

  test('given runs that ended, when pruned, then the parts of old ones are gone and nothing else', async () => {
    const { write, replay, runs, chatId, runId, end } = await queued()
    const live = await queued()
    await runs.claim(chatId, runId, LEASE)
    await live.runs.claim(live.chatId, live.runId, LEASE)
    await write(1, 1, 0, 'all')
    await live.write(1, 1, 0, 'all')
    await end(1)

    await runs.prune(3_600_000)
    expect(await replay()).toMatchObject({ parts: words('all') })
    // stories are written some seconds ahead of the clock
    expect(await runs.prune(-60_000)).toBeGreaterThanOrEqual(1)

    expect(await replay()).toMatchObject({ status: 'completed', parts: [] })
    expect(await live.replay()).toMatchObject({ parts: words('all') })
  })
}
