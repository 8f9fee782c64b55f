import { describe, expect, test } from 'vitest'
import { drawn, readAll, readFixture } from '@/testing/worlds/exported-files'
import { zipOf } from '@/testing/worlds/zip-file'

describe('a chat as a text', () => {
  test('of LibreChat has a line for each speaker', async () => {
    const { source, chat } = await readFixture('formats/chat.txt')
    expect(source).toBe('transcript')
    expect(drawn(chat)).toEqual(['user: hello'])
    expect(chat.problems).toEqual([])
  })

  test('of LibreChat has its title above, and the model as a speaker', async () => {
    const text =
      'Conversation\n########################\nconversationId: c\nendpoint: openAI\ntitle: Boats\nexportAt: 10:00\n\nHistory\n########################\n>> User:\nhello\n\n>> GPT-4:\nhi\n> quoted\n'
    const { chats } = await readAll('chat.txt', text)
    expect(chats.map(drawn)).toEqual([['user: hello', '  assistant: hi\n> quoted']])
    expect(chats[0]).toMatchObject({ title: 'Boats', problems: [] })
    expect(chats[0]?.messages[1]?.model).toBe('GPT-4')
  })

  test('that was copied from a page has headings, and what stands above them is told', async () => {
    const { chats } = await readAll(
      'copied.md',
      'Skip to content\n\n##### You said:\nhello\n\n###### ChatGPT said:\nhi **there**\n\nYou said:\nmore\n',
    )
    expect(chats.map(drawn)).toEqual([
      ['user: Skip to content', '  user: hello', '    assistant: hi **there**', '      user: more'],
    ])
    expect(chats[0]?.problems).toEqual(['What stands before the first speaker is kept as the first message.'])
  })

  test('with one speaker is no chat', async () => {
    await expect(readAll('notes.txt', 'You said:\nhello\n')).rejects.toThrow('is not JSON')
  })
})

describe('the CSV of LibreChat', () => {
  const head = 'sender,text,isCreatedByUser,error,unfinished,messageId,parentMessageId,createdAt'
  const none = '00000000-0000-0000-0000-000000000000'

  test('has a message in each row', async () => {
    const { source, chat } = await readFixture('formats/librechat.csv')
    expect(source).toBe('librechat')
    expect(drawn(chat)).toEqual(['user: hello'])
    expect(chat.messages[0]?.createdAt).toEqual(new Date('2025-01-01T00:00:00Z'))
    expect(chat.problems).toEqual([])
  })

  test('has branches, and cells in quotes with commas, new lines and quotes', async () => {
    const csv = `${head}\r\n"User","a, ""b""\nc","true","false","false","u1","${none}","2025-01-01"\r\n"GPT-4","one","false","false","false","a1","u1","2025-01-02"\r\n"GPT-4","two","false","false","false","a2","u1","2025-01-03"\r\n`
    const { chats } = await readAll('chat.csv', csv)
    expect(chats.map(drawn)).toEqual([['user: a, "b"\nc', '  assistant: one', '  assistant: two']])
    expect(chats[0]?.messages.map(({ model }) => model)).toEqual([null, 'GPT-4', 'GPT-4'])
    expect(chats[0]).toMatchObject({ currentId: 'a2', problems: [] })
  })

  test.each(['"User","a text that en', 'User,hello,true'])('tells that %s is cut off', async (row) => {
    const { chats } = await readAll(
      'chat.csv',
      `${head}\nUser,hello,true,false,false,u1,${none},2025-01-01\n${row}`,
    )
    expect(chats[0]?.problems[0]).toContain('The file ends in the middle of a row')
  })
})

describe('the page of a ChatGPT export', () => {
  const chat = {
    id: 'c',
    title: 'Boats </script> here',
    mapping: {
      a: {
        id: 'a',
        parent: null,
        message: { author: { role: 'user' }, content: { content_type: 'text', parts: ['hello'] } },
      },
    },
  }
  const page = (chats: object[]) =>
    `<html><head><style>a{}</style></head><body><script>\n  var jsonData = ${JSON.stringify(chats)};\n  var assetsJson = {"x": ["y"]};\n</script></body></html>`

  test('holds its chats', async () => {
    const { source, chats, problems } = await readAll('chat.html', page([chat, { ...chat, id: 'd' }]))
    expect(source).toBe('chatgpt')
    expect(chats.map(({ id }) => id)).toEqual(['c', 'd'])
    expect(chats.map(drawn)).toEqual([['user: hello'], ['user: hello']])
    expect(problems).toEqual([])
  })

  test('without chats says so', async () => {
    await expect(readAll('chat.html', page([]))).rejects.toThrow('is the chat.html of the export')
  })

  test('is not read beside the JSON of the same chats', async () => {
    const zip = zipOf([
      { name: 'chat.html', bytes: Buffer.from(page([chat])) },
      { name: 'conversations.json', bytes: Buffer.from(JSON.stringify([chat])) },
    ])
    const { chats } = await readAll('export.zip', zip)
    expect(chats.map(({ id }) => id)).toEqual(['c'])
  })

  test('that is cut off tells it', async () => {
    const { chats, problems } = await readAll('chat.html', page([chat, chat]).slice(0, 260))
    expect([chats.length, problems.length]).toEqual([1, 1])
    expect(problems[0]?.reason).toContain('The file ends in the middle')
  })
})
