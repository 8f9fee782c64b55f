import { expect, test } from 'vitest'
import { type GetStore, line, Story } from './story'

const said = (id: string, text: string) =>
  line(id, {
    data: { id, role: 'user', parts: [{ type: 'text', text }, { type: 'file' }] },
    preview: text.slice(0, 160),
  })

export function describeReading(getStore: GetStore): void {
  const library = async () => {
    const story = await Story.begin(getStore())
    const messages = [
      said('q1', 'Where is the Colosseum?'),
      said('a1', 'The Colosseum is in Rome. The Colosseum is old.'),
      said('q2', 'a 100% safe <b>bold</b> plan'),
    ]
    await story.append(story.main, null, ...messages)
    const find = async (query: string, options?: { roles?: string[]; limit?: number }) =>
      (await story.store.searchMessages(story.chatId, query, options)).map(({ message }) => message.id)
    return { story, find }
  }

  test('given messages, when words are searched, then all must be there, the best match first', async () => {
    const { find, story } = await library()

    expect(await find('colosseum')).toEqual(['a1', 'q1'])
    expect(await find('COLOSSEUM rome')).toEqual(['a1'])
    expect(await find('colosseum paris')).toEqual([])
    expect(await find('colos')).toEqual(['a1', 'q1'])
    const [best] = await story.store.searchMessages(story.chatId, 'rome')
    expect(best?.rank).toBeGreaterThan(0)
    expect(best?.snippet).toContain('<mark>Rome</mark>')

    // of some roles, or only so many
    expect(await find('colosseum', { roles: ['user'] })).toEqual(['q1'])
    expect(await find('colosseum', { roles: [] })).toEqual([])
    expect(await find('colosseum', { limit: 1 })).toEqual(['a1'])
  })

  test('given wildcards, operators or markup, when words are searched, then they are punctuation, and what is found is safe to show', async () => {
    const { find, story } = await library()

    for (const query of ['%', '_', '*', '', '   ', "'", ':*', '& | !', '<->', '\\', 'c%m'])
      expect(await find(query), query).toEqual([])
    expect(await find("colosseum' & | ! :*")).toEqual(['a1', 'q1'])
    const [hit] = await story.store.searchMessages(story.chatId, 'safe')
    expect(hit?.snippet).toContain('<mark>safe</mark>')
    expect(hit?.snippet).not.toContain('<b>')
  })

  const varied: [said: string, found: string[], missed: string[]][] = [
    [
      '我们去里斯本旅行，住在ロッシオ広場の近く。',
      ['里斯本', '広場', '近', '我们去里斯本旅行'],
      ['里旅', '本斯'],
    ],
    ['ผมอยากไปเที่ยวลิสบอน', ['ลิสบอน', 'เที่ยว'], ['กรุงเทพ']],
    ['대한민국서울특별시', ['서울', '특별시'], ['부산']],
    ['京都と東京', ['京都', '東京'], ['東京都']],
    ['Ein naïver Plan für Łódź, Straße 5', ['naive', 'NAÏVER', 'lodz', 'strasse', 'fur'], ['naives', 'aive']],
    ['İstanbul’da ısı', ['istanbul', 'isi'], ['stanbul']],
    ['ＡＢＣ ｶﾞｯｺｳ', ['abc', 'ガッコウ'], ['abd']],
    ['مُحَمَّد', ['محمد'], ['حمد']],
    ['open src/lib/foo.ts', ['foo', 'lib/foo', 'src/lib/foo.ts', 'foo.ts'], ['oo', 'lib/ts']],
    ['call getUserName() or get_user_name', ['user', 'getusername', 'UserName', 'user_name'], ['sername']],
    ['ada.king@example.org', ['example', 'king@example.org', 'ada.king@example.org'], ['xample']],
    ['version 1.2.3', ['1.2.3', '2.3', '1.2'], ['1.3', '12']],
  ]
  test.each(varied)(
    'given %s, when parts and plain letters of it are searched, then it is found',
    async (text, found, missed) => {
      const story = await Story.begin(getStore())
      await story.append(story.main, null, said('q1', text))
      for (const query of found) {
        const hits = await story.store.searchMessages(story.chatId, query)
        expect([query, hits.length], query).toEqual([query, 1])
        expect(hits[0]?.snippet, query).toContain('<mark>')
      }
      for (const query of missed)
        expect(await story.store.searchMessages(story.chatId, query), query).toEqual([])
    },
  )

  test('given tools, files and sources, when their names are searched, then the message is found by them', async () => {
    const story = await Story.begin(getStore())
    const parts = [
      { type: 'reasoning', text: 'secretthought' },
      { type: 'text', text: 'Here it is.' },
      {
        type: 'tool-forecast',
        toolCallId: 'c1',
        state: 'output-available',
        input: { city: 'Lisbon' },
        output: 1,
      },
      { type: 'dynamic-tool', toolName: 'ferries', toolCallId: 'c2', state: 'input-available', input: {} },
      { type: 'file', mediaType: 'application/pdf', filename: 'timetable.pdf', url: '/api/files/1' },
      { type: 'source-url', sourceId: 's', url: 'https://example.com', title: 'Harbour office' },
    ]
    const reply = line('r1', { data: { id: 'r1', role: 'assistant', parts }, preview: 'Here it is.' })
    const plain = said('q1', 'A forecast, please.')
    await story.append(story.main, null, plain, reply)
    const find = async (query: string) =>
      (await story.store.searchMessages(story.chatId, query)).map(({ message }) => message.id)

    expect((await find('forecast')).sort()).toEqual(['q1', 'r1'])
    for (const word of ['ferries', 'timetable.pdf', 'harbour']) expect(await find(word), word).toEqual(['r1'])
    const [hit] = await story.store.searchMessages(story.chatId, 'ferries')
    expect(hit?.snippet).toContain('<mark>ferries</mark>')
    // nor by what the model thought, nor by what a tool was given
    expect(await find('secretthought')).toEqual([])
    expect(await find('lisbon')).toEqual([])
  })

  test('given a conversation, when its graph is read, then it holds previews, refs and edges', async () => {
    const { story } = await library()
    const second = await story.fork('q1', { activate: true })
    await story.say(second, 'q1', 'a2')
    await story.commit([{ kind: 'save-checkpoint', checkpointId: 'k1', name: 'mark', messageId: 'a1' }])

    const graph = await story.store.getGraph(story.chatId)

    expect(graph.nodes.map(({ id, parentId, role, content }) => [id, parentId, role, content])).toEqual([
      ['q1', null, 'user', 'Where is the Colosseum?'],
      ['a1', 'q1', 'assistant', 'The Colosseum is in Rome. The Colosseum is old.'],
      ['q2', 'a1', 'user', 'a 100% safe <b>bold</b> plan'],
      ['a2', 'q1', 'assistant', 'text of a2'],
    ])
    expect(graph.nodes.every(({ createdAt }) => createdAt > 1_700_000_000_000)).toBe(true)
    expect(graph.branches).toEqual([
      { name: 'main', headMessageId: 'q2', isActive: false },
      { name: 'main-v2', headMessageId: 'a2', isActive: true },
    ])
    expect(graph.checkpoints).toEqual([{ name: 'mark', messageId: 'a1' }])
  })
}
