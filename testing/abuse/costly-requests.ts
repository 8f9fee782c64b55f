import { randomUUID } from 'node:crypto'
import { type Attack, ask, inParallel, times } from './attack'

/** How long a request alone may take, in ms. */
const ONE_REQUEST = 1000

/** Text that made a snippet cost a second. */
const repetitive = `${`${'a '.repeat(200)}${'b '.repeat(200)}`.repeat(120)} q`

/** Messages of that text in the whole suite, and in a short one: to index one takes half a second. */
const [MANY, FEW] = [30, 3]

/** Ten searches at a time over messages that hold the same two letters ten thousand times. */
export const searches: Attack = {
  name: 'searches in repetitive text',
  async run({ base, arena, rounds, patience }) {
    arena.answer = () => 'Noted.'
    const guest = await arena.visitor(base)
    await inParallel(times(rounds > 1 ? MANY : FEW, String), 4, async () => {
      const { thread_id } = await guest.createThread(base)
      await guest.json(`${base}/api/commands/send-message`, { thread_id, content: repetitive })
    })
    const search = () => ask(guest, `${base}/api/search?q=${encodeURIComponent('a b q')}&limit=30`)
    // the first searches also index the messages just sent
    let { text } = await search()
    while (text.includes('"partial":true')) ({ text } = await search())
    const alone = await search()
    const answers = await inParallel(times(10 * Math.min(rounds, 10), String), 10, search)
    const wrong = answers.filter(({ status }) => ![200, 429, 503].includes(status))
    return [
      ...wrong.map(({ status, text }) => `a search was answered ${status} ${text.slice(0, 200)}`),
      ...(alone.ms > ONE_REQUEST * patience ? [`a search alone took ${alone.ms.toFixed(0)} ms`] : []),
      ...(answers.some(({ status }) => status === 200) ? [] : ['no search was answered at all']),
    ]
  },
}

/** Bodies that are small to send and large to build. */
export const bodies: Attack = {
  name: 'bodies of millions of values',
  async run({ base, arena, rounds }) {
    const guest = await arena.visitor(base)
    const objects = `[${'{},'.repeat(5_290_000)}{}]`
    const kinds = [
      `{"id":"x","message":${objects}}`,
      `{"id":"x","messages":[{"parts":${objects}}]}`,
      `{"id":"x","messages":${objects}}`,
      `{"id":"x","a":${'['.repeat(5_000_000)}`,
      JSON.stringify({
        id: randomUUID(),
        messages: [
          { id: randomUUID(), role: 'user', parts: times(10_001, () => ({ type: 'text', text: 'a' })) },
        ],
      }),
    ]
    const problems: string[] = []
    await inParallel(
      times(Math.max(kinds.length, Math.min(24, rounds * 2)), (i) => kinds[i % kinds.length]),
      8,
      async (body) => {
        if (body === undefined) return
        // a server that has refused need not take the rest of the body
        const answer = await ask(guest, `${base}/api/chat`, { method: 'POST', body }).catch(() => undefined)
        if (answer && (answer.status < 400 || answer.status >= 500)) {
          problems.push(`a body of ${body.length} bytes was answered ${answer.status}`)
        }
      },
    )
    return problems
  },
}

/** Lists within lists, wide tables and other texts that take a parser seconds. */
const deepMarkdown: readonly string[] = [
  times(21, (k) => `${' '.repeat(78 * k)}${'- '.repeat(39)}a`).join('\n'),
  times(340, (k) => `${'  '.repeat(k)}- a`)
    .join('\n')
    .slice(0, 58_000),
  `${'- '.repeat(39)}a\n\n`.repeat(700),
  `${'|a'.repeat(240)}|\n${'|-'.repeat(240)}|\n${`${'|b'.repeat(240)}|\n`.repeat(60)}`,
  '>'.repeat(5000),
  '~~a'.repeat(20_000),
  '['.repeat(20_000),
  '*a '.repeat(20_000),
  'a'.repeat(60_000),
  `e${'\u0301'.repeat(59_000)}`,
]

/** A chat of replies that are costly to draw is opened again and again. */
export const pages: Attack = {
  name: 'pages of costly markdown',
  async run({ base, arena, rounds, patience }) {
    const guest = await arena.visitor(base)
    // one with every kind of text, and one with the same in every reply, as in the finding
    const chats = times(2, () => randomUUID())
    for (const [at, chatId] of chats.entries()) {
      for (const text of deepMarkdown) {
        arena.answer = () => ({ text: [(at === 0 ? text : deepMarkdown[0]) ?? ''] })
        await (await guest.send(base, chatId, 'go on')).rest()
      }
    }
    const views = await inParallel(
      times(3 * rounds, (i) => chats[i % 2]),
      2,
      (chatId) => ask(guest, `${base}/c/${chatId}`),
    )
    const slowest = Math.max(...views.map(({ ms }) => ms))
    return [
      ...views.filter(({ status }) => status !== 200).map(({ status }) => `a page was answered ${status}`),
      ...(slowest > ONE_REQUEST * patience ? [`a page took ${slowest.toFixed(0)} ms`] : []),
    ]
  },
}
