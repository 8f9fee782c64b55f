import { describe, expect, it } from 'vitest'
import { blocksOf } from '@/components/session/blocks'
import { messagePreview } from '@/lib/context'
import type { ChatMessage } from '@/lib/protocol'

const said = (parts: unknown[], durations?: Record<string, number>) =>
  blocksOf({ parts: parts as ChatMessage['parts'], ...(durations && { metadata: { durations } }) })

describe('the blocks of a message', () => {
  it('given texts that only a step divides, then they are one block', () => {
    expect(
      said([{ type: 'text', text: 'One.' }, { type: 'step-start' }, { type: 'text', text: 'Two.' }]),
    ).toEqual([{ kind: 'text', text: 'One.\n\nTwo.' }])
  })

  it('given reasoning, a tool and text, then they stand in the order in which they were said, with their times', () => {
    const call = { type: 'tool-search', toolCallId: 'c1', state: 'output-available', input: {}, output: 'ok' }
    const blocks = said(
      [
        { type: 'step-start' },
        { type: 'reasoning', text: 'First', state: 'done' },
        { type: 'reasoning', text: 'then', state: 'done' },
        call,
        { type: 'text', text: 'Found.' },
      ],
      { 'reasoning-0': 400, 'reasoning-1': 600, c1: 90 },
    )
    expect(blocks).toEqual([
      { kind: 'reasoning', text: 'First\n\nthen', ms: 1000, streaming: false },
      { kind: 'tool', part: call, name: 'search', ms: 90 },
      { kind: 'text', text: 'Found.' },
    ])
  })

  it('given what an agent has added to the words of a person, then it is one block after them', () => {
    const reminder = '<system-reminder>\nToday is Friday.\n</system-reminder>'
    const parts: ChatMessage['parts'] = [
      { type: 'text', text: `${reminder}\n\n` },
      { type: 'text', text: `Mend it\n${reminder}` },
    ]
    expect(blocksOf({ role: 'user', parts })).toEqual([
      { kind: 'text', text: 'Mend it' },
      { kind: 'context', added: [reminder, reminder] },
    ])
    // a reply may quote such a block
    expect(blocksOf({ role: 'assistant', parts }).map(({ kind }) => kind)).toEqual(['text'])
  })

  it('given instructions amid the conversation, then all of them are added context', () => {
    const item = { type: 'additional_tools', tools: [] }
    const parts = [
      { type: 'text', text: 'Be kind.' },
      { type: 'data-item', data: { item } },
    ] as ChatMessage['parts']
    expect(blocksOf({ role: 'system', parts })).toEqual([{ kind: 'context', added: ['Be kind.', item] }])
  })

  it('given sources between texts, then they are one block at the end', () => {
    const source = (sourceId: string) => ({ type: 'source-url', sourceId, url: 'https://example.com' })
    const blocks = said([source('a'), { type: 'text', text: 'So.' }, source('b')])
    expect(blocks.map(({ kind }) => kind)).toEqual(['text', 'sources'])
    expect(blocks[1]).toEqual({ kind: 'sources', parts: [source('a'), source('b')] })
  })

  it('given parts of a provider that are not known, then they are kept as they are', () => {
    const custom = { type: 'custom', kind: 'openai.image-plan' }
    expect(said([custom, { type: 'data-weather', data: { sun: true } }])).toEqual([
      { kind: 'other', type: 'custom', value: custom },
      { kind: 'other', type: 'data-weather', value: { type: 'data-weather', data: { sun: true } } },
    ])
  })

  it('given an item of an agent that is not understood, then it is shown under the type that it says of itself', () => {
    const item = { type: 'web_search_call', action: { type: 'search', query: 'fish' } }
    const part = (held: unknown) => ({ type: 'data-item', data: { protocol: 'responses', item: held } })
    expect(said([part(item), part(7)])).toEqual([
      { kind: 'other', type: 'web_search_call', value: item },
      { kind: 'other', type: 'item', value: 7 },
    ])
    expect(messagePreview({ role: 'assistant', parts: [part(item)] })).toBe('web_search_call')
  })

  it('given parts in another form than the AI SDK’s, as an import has them, then each is shown as it is', () => {
    const foreign = [
      null,
      { text: 'no type' },
      { type: 'reasoning', reasoning: 'an older form' },
      { type: 'tool-invocation', toolInvocation: {} },
      { type: 'file', mimeType: 'image/png' },
      { type: 'text', text: { not: 'a text' } },
    ]
    expect(said(foreign)).toEqual(foreign.map((value) => ({ kind: 'other', type: 'part', value })))
  })

  it('given thoughts that the model keeps to itself, then how long it thought stays', () => {
    expect(said([{ type: 'reasoning', text: '', state: 'done' }], { 'reasoning-0': 900 })).toEqual([
      { kind: 'reasoning', text: '', ms: 900, streaming: false },
    ])
  })

  it('given empty texts and finished empty reasoning, then there is nothing to show; reasoning that begins is shown', () => {
    expect(
      said([
        { type: 'text', text: '' },
        { type: 'reasoning', text: '', state: 'done' },
      ]),
    ).toEqual([])
    expect(said([{ type: 'reasoning', text: '', state: 'streaming' }])).toEqual([
      { kind: 'reasoning', text: '', ms: undefined, streaming: true },
    ])
  })
})
