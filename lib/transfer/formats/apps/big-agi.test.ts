import { expect, test } from 'vitest'
import { drawn, readChat, readFixture } from '@/testing/worlds/exported-files'

const content = (part: object, ft = 'content') => ({ ft, fId: 'x', part })
const conversation = (...messages: object[]) => ({ conversations: [{ id: 'g', messages }] })

test('given its own export, then fragments are words and thoughts', async () => {
  const { source, chat } = await readFixture('formats/big-agi.agi.json')
  expect(source).toBe('big-agi')
  expect(drawn(chat)).toEqual(['system: Be brief.', '  user: hello', '    assistant: (thinking) hi'])
  expect(chat).toMatchObject({
    id: 'g1',
    title: 'Agi',
    createdAt: new Date(1_736_789_912_980),
    updatedAt: new Date(1_736_789_919_980),
    currentId: 'm2',
    problems: [],
  })
  expect(chat.messages[2]?.model).toBe('model-e')
})

test('given an export of its first version, then texts, dates and models are read', async () => {
  const { source, chat } = await readFixture('formats/big-agi-v1.json')
  expect(source).toBe('big-agi')
  expect(drawn(chat)).toEqual(['user: hello', '  assistant: hi'])
  expect(chat).toMatchObject({ title: 'Agi old', problems: [] })
  expect(chat.messages[1]).toMatchObject({ model: 'model-e', createdAt: new Date(1_736_789_912_982) })
})

test('given documents, pictures, tools, sources and an error, then each is a part', async () => {
  const chat = await readChat(
    conversation(
      {
        id: 'm1',
        role: 'user',
        fragments: [
          content({ pt: 'text', text: 'look' }),
          content(
            { pt: 'doc', vdt: 'text/plain', data: { idt: 'text', text: 'of boats' }, ref: 'boats.md' },
            'attachment',
          ),
          content({
            pt: 'image_ref',
            dataRef: { reftype: 'url', url: 'https://example.org/a.png' },
            altText: 'Boat',
          }),
          content({ pt: 'image_ref', dataRef: { reftype: 'dblob', dblobAssetId: 'q' }, altText: 'Gone' }),
        ],
      },
      {
        id: 'm2',
        role: 'assistant',
        generator: { mgt: 'aix', name: 'M', aix: { vId: 'v', mId: 'm-1' } },
        fragments: [
          content({ pt: 'ph', pText: '...' }),
          content({
            pt: 'tool_invocation',
            id: 'c',
            invocation: { type: 'function_call', name: 'web', args: '{"q":1}' },
          }),
          content({
            pt: 'tool_response',
            id: 'c',
            error: false,
            response: { type: 'function_call', name: 'web', result: 'found' },
          }),
          content({ pt: 'text', text: 'done' }),
          content(
            {
              pt: 'annotations',
              annotations: [{ type: 'citation', url: 'https://example.org', title: 'T' }],
            },
            'void',
          ),
          content({ pt: 'error', error: 'too long' }),
        ],
      },
    ),
  )
  expect(drawn(chat)).toEqual([
    'user: look <boats.md> ![Boat](https://example.org/a.png) [Picture Gone: not in the export]',
    '  assistant: web! done Error: too long',
  ])
  expect(chat.messages[1]).toMatchObject({ model: 'm-1' })
  expect(chat.messages[1]?.parts[0]).toMatchObject({ input: { q: 1 }, output: 'found' })
  expect(chat.problems).toEqual([
    '1 file is named but is not part of the export. The text says where it was.',
  ])
})

test('given a single conversation and an unknown fragment, then it is read and told', async () => {
  const chat = await readChat({
    id: 'g',
    autoTitle: 'Alone',
    messages: [{ id: 'm1', role: 'user', fragments: [content({ pt: 'smell', scent: 'of the wide sea' })] }],
  })
  expect(chat.title).toBe('Alone')
  expect(drawn(chat)[0]).toContain('of the wide sea')
  expect(chat.problems).toEqual([
    '1 part is of a kind that is not known here. It is kept as JSON in the text.',
  ])
})

test('given folders beside the conversations, then a conversation has their names as tags', async () => {
  const message = { id: 'm1', role: 'user', fragments: [content({ pt: 'text', text: 'hello' })] }
  const chat = await readChat({
    ...conversation(message),
    folders: {
      folders: [
        { id: 'f', title: 'Fun', conversationIds: ['g'] },
        { id: 'h', title: 'Work', conversationIds: [] },
      ],
    },
  })
  expect(chat).toMatchObject({ tags: ['Fun'], problems: [] })
})
