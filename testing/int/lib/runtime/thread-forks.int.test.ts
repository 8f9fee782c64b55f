// Forks at every event of a thread that is itself a fork of a fork of a fork: the messages that are read, and the prompt of a model.

import { beforeAll, expect, it } from 'vitest'
import { checkDatabase } from '@/lib/store'
import { textOf } from '@/testing/machines/openai-server'
import { adaThreads } from '@/testing/worlds/ada-threads'
import { onOneDatabase } from '@/testing/worlds/open-stores'
import { givenWorld, MODEL } from '@/testing/worlds/turn-world'

/** One event of a thread as it should be: what was said at it, if anything. */
interface Expected {
  number: number
  type: string
  said?: string
}

onOneDatabase('forks at every event', ({ name }) => {
  const { world, services } = givenWorld(name, { RAMIFY_DEFAULT_MODEL: MODEL })

  const ada = adaThreads(services)
  beforeAll(() => {
    // every reply is another one, so that none can be taken for its like
    world.answer = (request) =>
      `Reply ${world.provider.requests.length} to ${lastLine(textOf(request.messages.at(-1) ?? { role: '' }))}`
  })

  /** Sends a message, has it answered, and says what a model was sent for it. */
  async function turn(threadId: string, text: string): Promise<{ prompt: string[]; reply: string }> {
    const before = world.provider.requests.length
    await ada.talk(threadId, text)
    const asked = world.provider.requests.slice(before)
    expect(asked).toHaveLength(1)
    const sent = asked[0]?.messages.filter(({ role }) => role !== 'system') ?? []
    return { prompt: sent.map(textOf), reply: `Reply ${before + 1} to ${text}` }
  }

  /** What a thread has once it has said something more. */
  const afterTurn = (history: readonly Expected[], text: string, reply: string): Expected[] => {
    const last = history.at(-1)?.number ?? 0
    return [
      ...history,
      { number: last + 1, type: 'UserMessageAdded', said: text },
      { number: last + 2, type: 'LLMResponseGenerated', said: reply },
      { number: last + 3, type: 'CheckpointCreated' },
    ]
  }
  const afterFork = (history: readonly Expected[], number: number): Expected[] => [
    ...history.filter((event) => event.number <= number),
    { number: number + 1, type: 'ThreadCreated' },
    { number: number + 2, type: 'ThreadForked' },
  ]
  /** Questions without a reply between them are one turn to a model. */
  const joined = (said: readonly string[]) => said.join('\n\n')
  const saidIn = (history: readonly Expected[]) => history.flatMap(({ said }) => said ?? [])

  /** Then the thread reads as it should, in every way it can be read. */
  async function readsAs(threadId: string, history: readonly Expected[]): Promise<void> {
    const reads = [ada.events(threadId), ada.messages(threadId), ada.head(threadId)] as const
    const [events, messages, head] = await Promise.all(reads)
    expect(
      events.map(({ eventNumber, type, content }) => ({
        number: eventNumber,
        type,
        ...(content === undefined ? {} : { said: content }),
      })),
    ).toEqual(history)
    expect(messages.map(({ eventNumber, content }) => [eventNumber, content])).toEqual(
      history.flatMap(({ number, said }) => (said === undefined ? [] : [[number, said]])),
    )
    expect(head).toMatchObject({
      eventNumber: history.at(-1)?.number,
      headMessageId: messages.at(-1)?.messageId ?? null,
      status: 'idle',
    })
  }

  /** A thread of twenty-two events that goes through four forks. */
  async function plant(): Promise<{ threadId: string; history: Expected[] }> {
    let { thread_id: threadId } = await ada.create()
    let history: Expected[] = [{ number: 1, type: 'ThreadCreated' }]
    const talk = async (turns: number, level: number) => {
      for (let i = 0; i < turns; i++) {
        const text = `Level ${level}, question ${i}`
        const { prompt, reply } = await turn(threadId, text)
        expect(joined(prompt)).toBe(joined([...saidIn(history), text]))
        history = afterTurn(history, text, reply)
      }
    }
    await talk(2, 0)
    // after a turn, at a ThreadForked, between a question and its reply, and after a turn again
    for (const [level, number] of [
      [1, 7],
      [2, 9],
      [3, 12],
      [4, 17],
    ] as const) {
      threadId = (await ada.fork(threadId, number)).thread_id
      history = afterFork(history, number)
      await talk(1, level)
    }
    return { threadId, history }
  }

  it('given a thread of twenty-two events, nested four levels, when it is forked at each of them, then each fork is exactly what was said until then, and so is what a model is sent', async () => {
    const { threadId, history } = await plant()
    expect(history).toHaveLength(22)
    await readsAs(threadId, history)

    for (const { number } of history) {
      const fork = await ada.fork(threadId, number)
      const origin = { parent_thread_id: threadId, from_event_number: number }
      expect(fork).toMatchObject({ ...origin, event_number: number + 2 })
      const inherited = afterFork(history, number)
      await readsAs(fork.thread_id, inherited)

      const text = `What now, at ${number}?`
      const { prompt, reply } = await turn(fork.thread_id, text)
      expect(joined(prompt)).toBe(joined([...saidIn(inherited), text]))
      await readsAs(fork.thread_id, afterTurn(inherited, text, reply))
    }
    expect(await checkDatabase(services.database)).toEqual([])
  })
})

const lastLine = (text: string): string => text.split('\n').at(-1) ?? ''
