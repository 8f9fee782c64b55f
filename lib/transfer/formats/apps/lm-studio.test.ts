import { expect, test } from 'vitest'
import { drawn, readAll, readChat, readFixture } from '@/testing/worlds/exported-files'
import { zipOf } from '@/testing/worlds/zip-file'

const said = (role: string, ...texts: string[]) => ({
  type: 'singleStep',
  role,
  content: texts.map((text) => ({ type: 'text', text })),
})
const reply = (...steps: object[]) => ({ type: 'multiStep', role: 'assistant', steps })
const block = (...content: object[]) => ({ type: 'contentBlock', content })
const chat = (...messages: { versions: object[]; currentlySelected: number }[]) => ({
  name: 'Chat',
  messages,
})
const one = (version: object) => ({ versions: [version], currentlySelected: 0 })

test('given its own file, then versions are branches, and the selected one is where it was read last', async () => {
  const { source, chat: read } = await readFixture('formats/lmstudio.conversation.json')
  expect(source).toBe('lm-studio')
  expect(drawn(read)).toEqual(['user: hello', '  assistant: first', '  assistant: second'])
  expect(read).toMatchObject({ title: 'LM chat', instructions: 'Be terse.', problems: [] })
  expect(read.currentId).toBe(read.messages[2]?.id)
  expect(read.messages.map(({ model }) => model)).toEqual([null, 'model-b', 'model-b'])
})

test('given an edited question, then what follows hangs on the version that is selected', async () => {
  const read = await readChat(
    chat(
      { versions: [said('user', 'first'), said('user', 'second')], currentlySelected: 0 },
      one(reply(block({ type: 'text', text: 'to the ' }, { type: 'text', text: 'first' }))),
    ),
  )
  expect(drawn(read)).toEqual(['user: first', '  assistant: to the first', 'user: second'])
  expect(read.currentId).toBe(read.messages[1]?.id)
})

test('given thoughts and a tool, then each is a part, and what only says how far it is says nothing', async () => {
  const read = await readChat(
    chat(
      one(said('user', 'time?')),
      one(
        reply(
          { type: 'debugInfoBlock', debugInfo: 'Conversation naming technique: prompt' },
          { ...block({ type: 'text', text: 'A tool knows' }), style: { type: 'thinking', ended: true } },
          block({
            type: 'toolCallRequest',
            toolCallRequestId: 't',
            name: 'clock',
            parameters: { zone: 'UTC' },
          }),
          { type: 'toolStatus', callId: 1, statusState: { status: { type: 'toolCallSucceeded' } } },
          {
            ...block({
              type: 'toolCallResult',
              content: JSON.stringify([{ type: 'text', text: 'noon it is' }]),
              toolCallRequestId: 't',
            }),
            role: 'tool',
          },
          { ...block({ type: 'text', text: 'It is noon.' }), genInfo: { identifier: 'model-c' } },
        ),
      ),
    ),
  )
  expect(drawn(read)).toEqual(['user: time?', '  assistant: (A tool knows) clock! It is noon.'])
  expect(read.messages[1]).toMatchObject({ model: 'model-c' })
  expect(read.messages[1]?.parts[1]).toMatchObject({ input: { zone: 'UTC' }, output: 'noon it is' })
  expect(read.problems).toEqual([])
})

test('given a picture beside the file, then the message has it; without it the text says so', async () => {
  const picture = { type: 'file', fileIdentifier: '17 - dot.png', fileType: 'image', sizeBytes: 3 }
  const file = JSON.stringify(chat(one({ ...said('user', 'look'), content: [picture] })))
  const alone = await readAll('a.conversation.json', file)
  expect(alone.chats.map(drawn)).toEqual([['user: [Picture 17 - dot.png: not in the export]']])
  const zip = zipOf([
    { name: 'conversations/a.conversation.json', bytes: Buffer.from(file) },
    { name: 'user-files/17 - dot.png', bytes: Buffer.from('png') },
  ])
  const { chats, problems } = await readAll('lm.zip', zip)
  expect(chats.map(drawn)).toEqual([['user: <17 - dot.png>']])
  expect(problems).toEqual([])
})
