import { randomUUID } from 'node:crypto'
import { until } from '@/testing/faults/arena'
import { RefusedError, Visitor } from '@/testing/faults/visitor'
import { words } from '@/testing/worlds/follower'
import { type Attack, ask, inParallel, times } from './attack'

/** Words of a reply of the crowd's, and how long each is, in ms. */
const SLOW = { text: words(25), delayMs: 50 }

/** Streams that the server ought to end are given up after that, in ms. */
const HANG = 60_000

/** One guest queues 120 replies with commands; in a short run some more than are written at a time. */
export const commands: Attack = {
  name: 'many commands of one guest',
  async run({ base, arena, rounds }) {
    arena.answer = () => SLOW
    const guest = await arena.visitor(base)
    const threads = await inParallel(times(rounds > 1 ? 120 : 24, String), 8, async () => {
      const { thread_id } = await guest.createThread(base)
      await guest.json(`${base}/api/commands/send-message`, { thread_id, content: 'go on' })
      return thread_id
    })
    const problems: string[] = []
    for (const thread of threads) {
      await until('the reply is stored', async () => {
        const { status } = await guest.json<{ status: string }>(`${base}/threads/${thread}/head`)
        if (status === 'failed') problems.push(`the reply in ${thread} has failed`)
        return status !== 'running'
      })
    }
    return problems
  },
}

/** Eight guests have 25 replies each written at the same time, more than one may and all may together; in a short run two. */
export const replies: Attack = {
  name: 'many replies at once',
  // eight persons, on one core of a shared machine
  atMost: 2000,
  async run({ base, arena, rounds }) {
    arena.answer = () => SLOW
    const guests = await Promise.all(times(rounds > 1 ? 8 : 2, () => arena.visitor(base)))
    const problems: string[] = []
    await Promise.all(
      times(25 * guests.length, async (i) => {
        const guest = guests[i % guests.length]
        const follower = await (await guest?.send(base, randomUUID(), 'go on'))?.rest()
        if (follower?.text !== SLOW.text) problems.push(`a reply was "${follower?.text.slice(0, 80)}"`)
      }),
    )
    return [...new Set(problems)]
  },
}

/** One guest follows a chat three hundred times, in a short run somewhat more often than one may, and reads nothing. */
export const streams: Attack = {
  name: 'event streams that are not read',
  async run({ base, arena, rounds }) {
    arena.answer = () => 'Noted.'
    const [asked, turns] = rounds > 1 ? [300, 5] : [130, 2]
    const guest = await arena.visitor(base)
    const { thread_id, chat_id } = await guest.createThread(base)
    const leave = new AbortController()
    const open = await inParallel(times(asked, String), 30, () =>
      fetch(`${base}/api/live?chat=${chat_id}`, { headers: { cookie: guest.cookie }, signal: leave.signal }),
    )
    for (let turn = 0; turn < turns; turn++) {
      await guest.json(`${base}/api/commands/send-message`, { thread_id, content: words(200) })
      await until('the reply is stored', async () => {
        const head = await guest.json<{ status: string }>(`${base}/threads/${thread_id}/head`)
        return head.status === 'idle'
      })
    }
    const refused = open.filter(({ status }) => status === 429).length
    const wrong = open.filter(({ status }) => status !== 200 && status !== 429)
    leave.abort()
    return [
      ...wrong.map(({ status }) => `a stream was answered ${status}`),
      ...(refused === 0 ? [`${asked} streams of one person were all let in`] : []),
    ]
  },
}

/** Passwords are guessed, each time from another address by what the client says. */
export const guesses: Attack = {
  name: 'guessing of passwords',
  async run({ base, rounds }) {
    const email = `${randomUUID()}@example.org`
    const password = 'a long enough pass phrase 4711'
    const post = (path: string, body: object, address: string) =>
      ask(new Visitor(), `${base}/api/auth/${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'x-forwarded-for': address },
      })
    await post('sign-up/email', { email, password, name: 'Ada' }, '203.0.113.1')
    const tries = await inParallel(times(60 + rounds, String), 4, (i) =>
      post(
        'sign-in/email',
        { email, password: `wrong pass phrase ${i}` },
        `198.51.100.${Number(i) % 250}, 10.0.0.${i}`,
      ),
    )
    const refused = tries.filter(({ status }) => status === 429)
    const wrong = tries.filter(({ status }) => status !== 401 && status !== 429)
    return [
      ...wrong.map(({ status }) => `a wrong password was answered ${status}`),
      ...(refused.length < 40 ? [`of ${tries.length} guesses ${refused.length} were refused`] : []),
    ]
  },
}

/** A key is revoked while a hundred streams are open with it. */
export const revoked: Attack = {
  name: 'streams of a key that is revoked',
  async run({ base, arena, patience }) {
    arena.answer = () => 'Noted.'
    const guest = await arena.visitor(base)
    const chatId = randomUUID()
    await (await guest.send(base, chatId, 'hello')).rest()
    const { id, key } = await guest.json<{ id: string; key: string }>(`${base}/api/keys`, {
      name: 'to be revoked',
    })
    const headers = { authorization: `Bearer ${key}` }
    const open = await inParallel(times(50, String), 10, () =>
      fetch(`${base}/api/live?chat=${chatId}`, { headers, signal: AbortSignal.timeout(HANG) }),
    )
    if (open.some(({ status }) => status !== 200)) return ['a stream with a good key was refused']
    const ends = open.map((response) => drained(response))
    const revokedAt = performance.now()
    const answer = await ask(guest, `${base}/api/keys/${id}`, { method: 'DELETE' })
    const slowest = Math.max(...(await Promise.all(ends))) - revokedAt
    const again = await fetch(`${base}/api/threads`, { headers })
    return [
      ...(answer.status === 204 ? [] : [`revoking was answered ${answer.status}`]),
      ...(slowest > 1000 * patience ? [`a stream outlived its key by ${slowest.toFixed(0)} ms`] : []),
      ...(again.status === 401 ? [] : [`the revoked key was answered ${again.status}`]),
    ]
  },
}

/** Chats are begun under ids that other people have. */
export const sameIds: Attack = {
  name: 'ids that others have chosen',
  async run({ base, arena, rounds }) {
    arena.answer = () => 'Noted.'
    const problems: string[] = []
    for (let round = 0; round < rounds; round++) {
      const chatId = `trip-${randomUUID()}`
      const guests = await Promise.all(times(4, () => arena.visitor(base)))
      await Promise.all(
        guests.map(async (guest, i) => {
          const said = `I am guest ${i}`
          await (await guest.send(base, chatId, said)).rest()
          const [first, ...others] = await guest.messages(base, chatId)
          const graph = await guest.graph(base, chatId)
          if (JSON.stringify(first?.parts) !== JSON.stringify([{ type: 'text', text: said }]))
            problems.push(`guest ${i} reads ${JSON.stringify(first?.parts)} under an id of their own`)
          if (others.length !== 1 || graph.chatId !== chatId)
            problems.push(`the chat ${chatId} of guest ${i} is called ${graph.chatId}`)
        }),
      ).catch((error: unknown) => {
        problems.push(error instanceof RefusedError ? error.message : String(error))
      })
    }
    return problems
  },
}

/** Reads a stream to its end. Resolves with when that was. */
async function drained(response: Response): Promise<number> {
  try {
    await response.text()
  } catch {
    // cut off is an end too
  }
  return performance.now()
}
