import { describe, expect, test } from 'vitest'
import { readChat } from '@/testing/worlds/exported-files'

const list = <Item>(count: number, item: (at: number) => Item) =>
  Array.from({ length: count }, (_, at) => item(at))

/** Files within every limit of size, of which a reader that looks at everything for everything makes minutes or fails. */
describe('a chat is read in a time that its length says', { timeout: 10_000 }, () => {
  test('of 40,000 messages with one id', async () => {
    const messages = list(40_000, (at) => ({ messageId: 'm', text: `${at}`, isCreatedByUser: true }))
    const chat = await readChat({ conversationId: 'c', messages })
    expect(new Set(chat.messages.map(({ id }) => id)).size).toBe(40_000)
    expect(chat.problems).toContain(
      '39,999 messages have the ids of others, with other content. They are kept under new ids.',
    )
  })

  test('of 49,000 calls that are answered from the last to the first', async () => {
    const calls = list(49_000, (at) => ({ id: `c${at}`, function: { name: 'dig' } }))
    const answers = calls.toReversed().map(({ id }) => ({ role: 'tool', tool_call_id: id, content: id }))
    const { messages } = await readChat({ messages: [{ role: 'assistant', tool_calls: calls }, ...answers] })
    expect(messages).toHaveLength(1)
    expect(messages[0]?.parts).toHaveLength(49_000)
    expect(messages[0]?.parts.every((part) => 'output' in part && part.output === part.toolCallId)).toBe(true)
  })

  test('of calls and answers in turn', async () => {
    const messages = list(24_000, (at) => [
      { role: 'assistant', tool_calls: [{ id: `c${at}`, function: { name: 'dig' } }] },
      { role: 'tool', tool_call_id: `c${at}`, content: 'found' },
    ]).flat()
    const chat = await readChat({ messages: [{ role: 'user', content: 'Go' }, ...messages] })
    expect(chat.messages.map(({ parts }) => parts.length)).toEqual([1, 24_000])
  })

  test('of a reply of 200,000 blocks after a call', async () => {
    const reply = { role: 'assistant', content: list(200_000, () => ({ text: 'a' })) }
    const call = { role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'dig' } }] }
    const { messages } = await readChat({
      messages: [call, { role: 'tool', tool_call_id: 'c', content: 'b' }, reply],
    })
    expect(messages[0]?.parts.filter(({ type }) => type === 'text')).toHaveLength(200_000)
  })

  test.each([
    ['that never end', '<details type="reasoning">'.repeat(100_000)],
    ['whose beginnings never end', '<details type="reasoning" '.repeat(100_000)],
    ['of which only the first ends', `${'<details type="reasoning">'.repeat(100_000)}</details>`],
    ['of summaries that never end', `<details type="reasoning">${'<summary>'.repeat(300_000)}</details>`],
  ])('of elements %s', async (_, content) => {
    const { messages } = await readChat({
      chat: { history: { messages: { a: { role: 'assistant', content } } } },
    })
    expect(messages).toHaveLength(1)
  })

  test('of a block that is not known, with 300,000 fences in it', async () => {
    const { messages } = await readChat({
      messages: [{ role: 'user', content: [{ odd: '``` '.repeat(300_000) }] }],
    })
    expect(messages[0]?.parts[0]).toMatchObject({ text: expect.stringMatching(/^`{4}json/) })
  })

  test.each([
    ['hold each other', 'M0', (at: number) => `【${at + 1}】【${at + 1}】`],
    ['are long', '【0】'.repeat(100_000), () => 'x'.repeat(100_000)],
  ])('of references whose links %s', async (_, text, alt) => {
    const content_references = list(200, (at) => ({ matched_text: `【${at}】`, alt: alt(at) }))
    const message = {
      author: { role: 'user' },
      content: { parts: [text.replace('M0', '【0】')] },
      metadata: { content_references },
    }
    const { messages } = await readChat({ mapping: { a: { id: 'a', parent: null, message } } })
    expect(JSON.stringify(messages).length).toBeLessThan(text.length + 1_100_000)
  })
})
