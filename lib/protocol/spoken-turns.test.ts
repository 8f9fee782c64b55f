import { describe, expect, test } from 'vitest'
import { isSpoken, type SpokenTurn, spokenTurns } from './spoken-turns'

const said = (text: string) => spokenTurns(text).turns.map(({ role, text }) => `${role}: ${text}`)
const rome = ['user: Is Rome far?', 'assistant: Not by **train**.', 'user: And Oslo?', 'assistant: Yes.']

describe('a chat that was copied as a text', () => {
  test.each([
    [
      'bold names',
      '**You:** Is Rome far?\n\n**Assistant:** Not by **train**.\n\n**You:** And Oslo?\n\n**Assistant:** Yes.',
    ],
    [
      'bold names with the colon outside',
      '**User**: Is Rome far?\n**Claude**: Not by **train**.\n**User**: And Oslo?\n**Claude**: Yes.',
    ],
    [
      'bold names in a line of their own',
      '**Human**\n\nIs Rome far?\n\n**Gemini 2.5 Pro**\n\nNot by **train**.\n\n**Human**\nAnd Oslo?\n\n**Gemini 2.5 Pro**\nYes.',
    ],
    [
      'headings',
      '## User\n\nIs Rome far?\n\n## Assistant\n\nNot by **train**.\n\n## User\n\nAnd Oslo?\n\n## Assistant\n\nYes.\n',
    ],
    [
      'headings of an exporter',
      '## Prompt:\nIs Rome far?\n\n## Response:\nNot by **train**.\n\n## Prompt:\nAnd Oslo?\n## Response:\nYes.',
    ],
    [
      'headings with signs',
      '### 👤 You\nIs Rome far?\n### 🤖 ChatGPT\nNot by **train**.\n### 👤 You\nAnd Oslo?\n### 🤖 ChatGPT\nYes.',
    ],
    [
      'names with a colon',
      'User: Is Rome far?\nAssistant: Not by **train**.\nUser: And Oslo?\nAssistant: Yes.',
    ],
    [
      'a page that was copied',
      'You said:\nIs Rome far?\n\nChatGPT said:\nNot by **train**.\n\nYou said:\nAnd Oslo?\n\nChatGPT said:\nYes.',
    ],
    ['questions as quotes', '> Is Rome far?\n\nNot by **train**.\n\n> And Oslo?\n\nYes.'],
    [
      'lines of Windows and a mark of order',
      '\ufeffYou: Is Rome far?\r\nClaude: Not by **train**.\r\nYou: And Oslo?\r\nClaude: Yes.\r\n',
    ],
  ])('given %s, then its messages are found in their order', (_, text) => {
    expect(said(text)).toEqual(rome)
    expect(spokenTurns(text)).toMatchObject({ isMarked: true, hasPreface: false })
  })

  test('given Markdown that Ramify exported, then titles, times and models are read, and line ends are as they were typed', () => {
    const text =
      '# Rome \\& Oslo\n\n4 messages, 2 branches\n\n## You\n\n*2026-03-14 09:26 UTC*\n\nIs Rome far?  \nOr near?\n\n## Assistant\n\n*2026-03-14 09:27 UTC · openai:gpt\\_5 · stopped*\n\nNot by train.\n\n# Branch: Oslo\n\nIt goes on from “Is Rome far?”.\n'
    const { title, turns } = spokenTurns(text)
    expect(title).toBe('Rome & Oslo')
    expect(turns).toEqual<SpokenTurn[]>([
      { role: 'user', model: null, at: '2026-03-14T09:26:00.000Z', text: 'Is Rome far?\nOr near?' },
      {
        role: 'assistant',
        model: 'openai:gpt_5',
        at: '2026-03-14T09:27:00.000Z',
        text: 'Not by train.\n\n# Branch: Oslo\n\nIt goes on from “Is Rome far?”.',
      },
    ])
  })

  test('given names of models, then replies have them; a role is no model', () => {
    const models = (text: string) => spokenTurns(text).turns.map(({ model }) => model)
    expect(models('You: a\nGPT-4o: b\nAI: c\nClaude Sonnet 4.5: d')).toEqual([
      null,
      'GPT-4o',
      null,
      'Claude Sonnet 4.5',
    ])
  })

  test('given words before the first speaker, then they are kept as the first message', () => {
    const text = 'Copied on Friday.\n\n**You:** Is Rome far?\n**Claude:** No.'
    expect(said(text)).toEqual(['user: Copied on Friday.', 'user: Is Rome far?', 'assistant: No.'])
    expect(spokenTurns(text).hasPreface).toBe(true)
  })

  test('given a text in which no line says who speaks, then all of it is one message of the person', () => {
    const text = 'Dear all,\n\nthe user: of this is you.\n\n> a quote\n\nBye'
    expect(spokenTurns(text)).toEqual({
      title: null,
      isMarked: false,
      hasPreface: false,
      turns: [{ role: 'user', model: null, at: null, text }],
    })
    expect(said('> only\n> a quote')).toEqual(['user: > only\n> a quote'])
    expect(said(' \n\n')).toEqual([])
  })

  test('given one speaker only, then the line is a mark all the same', () => {
    expect(said('ChatGPT said:\nIt is far.')).toEqual(['assistant: It is far.'])
  })

  test.each([
    [
      'code',
      '**You:** How?\n\n**Claude:**\n```yaml\nUser: root\n**You:** no\n```\nSo.',
      ['user: How?', 'assistant: ```yaml\nUser: root\n**You:** no\n```\nSo.'],
    ],
    [
      'code that does not end',
      '**You:** How?\n```\nx\n\n**Claude:** So.',
      ['user: How?\n```\nx', 'assistant: So.'],
    ],
  ])('given lines that look like speakers in %s, then nothing is torn apart', (_, text, messages) => {
    expect(said(text)).toEqual(messages)
  })

  test('given any of these texts, then no word of a message is lost', () => {
    const words = Array.from({ length: 60 }, (_, at) => `word${at}`)
    const marks = [
      '**You:** ',
      '**Claude:** ',
      '## User\n',
      '## Assistant\n',
      'User: ',
      'AI: ',
      '> ',
      '',
      '```\n',
      '\n',
    ]
    for (let seed = 1; seed < 200; seed++) {
      const text = words
        .map((word, at) => `${marks[((seed * (at + 7) * 2654435761) % 97) % marks.length]}${word}`)
        .join('\n')
      const kept = spokenTurns(text)
        .turns.map((turn) => turn.text)
        .join('\n')
      expect(
        words.filter((word) => !new RegExp(`\\b${word}\\b`).test(kept)),
        `seed ${seed}`,
      ).toEqual([])
    }
  })

  test.each([
    '**You'.repeat(60_000),
    `${'You '.repeat(10)}\n`.repeat(30_000),
    '```a\n'.repeat(60_000),
    '>\n'.repeat(100_000),
    `GPT${' '.repeat(200_000)}`,
  ])('given a text that is made to take long, then it is read in a time that its length says', (text) => {
    const begin = process.cpuUsage()
    spokenTurns(text)
    expect(process.cpuUsage(begin).user / 1e6).toBeLessThan(3)
  })
})

describe('a file', () => {
  test.each([
    ['a chat', '# Rome\n\n**You:** a\n\n**Claude:** b', true],
    ['notes', '# Notes\n\nUser: me', false],
    [
      'a page with an example of a chat',
      `# How to\n\n${'Read this.\n'.repeat(20)}\nUser: a\nAssistant: b\n`,
      false,
    ],
    ['a text that quotes', '> a\n\nb\n\n> c', false],
  ])('that is %s is taken for one: as it says', (_, text, is) => {
    expect(isSpoken(text)).toBe(is)
  })
})
