import { describe, expect, it } from 'vitest'
import { dollarWords, entriesOf, keptWords, tokenWords } from '@/components/inspector/prompt-words'

describe('the figures of a prompt', () => {
  it.each([
    [{ estimate_usd: null, actual_usd: null }, 'Price not known'],
    [{ estimate_usd: 0, actual_usd: 0 }, 'Costs nothing'],
    [{ estimate_usd: 0.0000123, actual_usd: null }, 'About $0.000012 for the prompt'],
    [
      { estimate_usd: 0.5, actual_usd: 1.2 },
      'About $0.50 for the prompt, $1.20 with its reply, as the provider counted',
    ],
  ])('given %j, then %s', (cost, words) => {
    expect(dollarWords(cost)).toBe(words)
  })

  const likeIt = { read: 0, estimate_usd: 0.1 }
  it.each([
    [{ read: 0, written: 0, branch: likeIt }, ''],
    [{ read: 12_300, written: 0, branch: likeIt }, '12,300 tokens from the provider’s cache'],
    [{ read: 0, written: 900, branch: likeIt }, 'Nothing from the provider’s cache, 900 written into it'],
    [
      { read: 0, written: 0, branch: { read: 0, estimate_usd: 0.5 } },
      'A branch from here: about $0.50, nothing from the cache',
    ],
    [
      { read: 40, written: 900, branch: { read: 1204, estimate_usd: 0.004 } },
      '40 tokens from the provider’s cache, 900 written into it. A branch from here: about $0.004, 1,204 tokens from the cache',
    ],
  ])('given a prompt of $0.10 and a cache of %j, then %s', (cache, words) => {
    expect(keptWords(cache, { estimate_usd: 0.1 })).toBe(words)
  })

  it('given a note of a provider’s library, then it is left out: the model does not read it', () => {
    const content = [
      { type: 'custom', kind: 'anthropic.message_start', providerOptions: { anthropic: { id: 'msg_1' } } },
      { type: 'text', text: 'Well.' },
    ]
    const tokens = { system: 0, messages: [], total: 0, window: null }
    const [entry] = entriesOf({ messages: [{ role: 'assistant', content }], tokens })
    expect(entry?.text).toBe('Well.')
  })

  it('given a window that is not known, then the words say so', () => {
    expect(tokenWords(1204, 8000)).toBe('about 1,204 of 8,000 tokens')
    expect(tokenWords(1204, null)).toBe('about 1,204 tokens, window not known')
  })

  it('given a reply that was sent as two messages, then its tokens stand at the first, and those of others at theirs', () => {
    const messages = [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: [{ type: 'tool-call', toolName: 'search' }] },
      { role: 'tool', content: [{ type: 'tool-result', output: 1 }] },
      { role: 'user', content: [{ type: 'text', text: 'Thanks' }] },
    ]
    const counted = [2, 30, 2].map((tokens, at) => ({ message_id: `m${at}`, tokens, sent: at === 1 ? 2 : 1 }))
    const entries = entriesOf({ messages, tokens: { system: 0, messages: counted, total: 34, window: null } })
    expect(entries.map(({ count }) => count)).toEqual([2, 30, undefined, 2])
    expect(entries.at(-1)?.text).toBe('Thanks')
  })

  it('given messages that were joined to one, then it has the tokens of all of them', () => {
    const messages = [
      { role: 'user', content: [{ type: 'text', text: 'one\n\ntwo' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'Well.' }] },
    ]
    const counted = [1, 0, 1].map((sent, at) => ({ message_id: `m${at}`, tokens: 10 + at, sent }))
    const entries = entriesOf({ messages, tokens: { system: 0, messages: counted, total: 33, window: null } })
    expect(entries.map(({ count }) => count)).toEqual([21, 12])
  })

  it('given a file, then it stands there with name, type and size, and without its bytes', () => {
    const data = { type: 'url', url: `data:image/png;base64,${Buffer.alloc(2048).toString('base64')}` }
    const content = [
      { type: 'file', mediaType: 'image/png', filename: 'map.png', data },
      { type: 'text', text: 'Where is it?' },
    ]
    const tokens = { system: 0, messages: [], total: 0, window: null }
    const [entry] = entriesOf({ messages: [{ role: 'user', content }], tokens })
    expect(entry?.text).toBe('[map.png: image/png, 2 kB]\n\nWhere is it?')
  })
})
