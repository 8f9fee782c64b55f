import type { UIMessage } from 'ai'
import { describe, expect, it } from 'vitest'
import { neverAnswered } from '@/lib/events'
import { beforeSeam, continuedMessage, cutReply, isCut, seamOf } from './cut-reply'

type Part = UIMessage['parts'][number]

const text = (words: string): Part => ({ type: 'text', text: words, state: 'done' })
const thought = (words: string): Part => ({
  type: 'reasoning',
  text: words,
  providerMetadata: { anthropic: { signature: 's' } },
})
const step: Part = { type: 'step-start' }
const source: Part = { type: 'source-url', sourceId: 's', url: 'https://example.org' }
const file: Part = { type: 'file', mediaType: 'image/png', url: '/api/files/f' }
const call = (state: object): Part =>
  ({ type: 'tool-weather', toolCallId: JSON.stringify(state), input: {}, ...state }) as unknown as Part
const finished = call({ state: 'output-available', output: 'Rain' })
const failed = call({ state: 'output-error', errorText: 'No such city' })
const unanswered = call({ state: 'output-error', errorText: neverAnswered })
const waiting = call({ state: 'approval-requested', approval: { id: 'a' } })
const denied = call({ state: 'output-denied', approval: { id: 'b', approved: false } })

const reply = (parts: Part[], metadata: object = { model: 'a:b' }): UIMessage => ({
  id: 'cut',
  role: 'assistant',
  parts,
  metadata,
})
const added = (...parts: Part[]): UIMessage => ({ ...reply(parts), id: 'new' })
const goingOn = (parts: Part[], model = 'a:b') => {
  const cut = cutReply(reply(parts), model)
  if (!cut) throw new Error('There is nothing to go on from')
  return cut
}

describe('a reply that another one goes on with', () => {
  it.each<[title: string, parts: Part[], kept: Part[]]>([
    ['words', [step, text('Three days')], [step, text('Three days')]],
    ['blank ends', [text('Three days, \n')], [text('Three days,')]],
    ['a call without a result', [text('Let me look.'), unanswered], [text('Let me look.')]],
    ['a call that waits', [text('Let me look.'), waiting], [text('Let me look.')]],
    ['one of two calls with a result', [unanswered, finished], [finished]],
    ['a call that failed, and one that was denied', [failed, denied], [failed, denied]],
    ['a thought after the last words', [text('Yes.'), step, thought('Hm')], [text('Yes.')]],
    ['a thought before words', [thought('Hm'), text('Yes')], [thought('Hm'), text('Yes')]],
    ['sources after words', [text('Yes '), source], [text('Yes'), source]],
    ['blank words after a call', [finished, step, text(' ')], [finished]],
  ])('given %s, then it keeps words and finished calls', (_, parts, kept) => {
    expect(goingOn(parts).message.parts).toEqual(kept)
  })

  it.each<[title: string, parts: Part[]]>([
    ['thoughts', [step, thought('Hm')]],
    ['a call without a result', [unanswered]],
    ['blank words', [text(' \n')]],
    ['nothing', []],
  ])('given only %s, then there is nothing to go on from', (_, parts) => {
    expect(cutReply(reply(parts), 'a:b')).toBeUndefined()
  })

  it('given a message in a form of a library caller’s own, then there is nothing to go on from', () => {
    expect(
      cutReply({ id: 'x', role: 'assistant', text: 'Yes' } as unknown as UIMessage, 'a:b'),
    ).toBeUndefined()
  })

  it('given another model, then thoughts and the data of providers are left out', () => {
    const signed = { ...finished, callProviderMetadata: { google: { thoughtSignature: 's' } } } as Part
    expect(goingOn([thought('Hm'), text('Yes'), signed], 'c:d').message.parts).toEqual([
      text('Yes'),
      finished,
    ])
  })

  it('given measured times, then those of parts that are kept stay', () => {
    const durations = { 'reasoning-0': 10, 'reasoning-1': 20, t: 30 }
    const cut = cutReply(
      reply([thought('Hm'), text('Yes'), thought('So')], { model: 'a:b', durations }),
      'a:b',
    )
    expect(cut?.message.metadata).toMatchObject({ durations: { 'reasoning-0': 10, t: 30 } })
  })

  it.each([
    ['stopped', {}, true],
    ['failed', {}, true],
    [null, { finishReason: 'length' }, true],
    [undefined, { finishReason: 'stop' }, false],
    [undefined, undefined, false],
  ])('given the status %s and %j, then it is cut: %s', (status, metadata, expected) => {
    expect(isCut({ status, data: reply([], metadata) })).toBe(expected)
  })
})

describe('a cut reply and what is added', () => {
  it.each<[title: string, cut: Part[], more: Part[], parts: Part[]]>([
    ['the rest of a word', [text('Lis')], [step, text('bon')], [text('Lisbon')]],
    ['a word with its space', [text('in ')], [text(' Lisbon')], [text('in Lisbon')]],
    ['a word without a space', [text('in ')], [text('Lisbon')], [text('in Lisbon')]],
    ['a paragraph', [text('Lisbon.\n')], [text('\n\nPorto')], [text('Lisbon.\n\nPorto')]],
    [
      'a thought, then words',
      [text('Lis')],
      [step, thought('Hm'), text('bon')],
      [text('Lisbon'), thought('Hm')],
    ],
    [
      'a call, then words',
      [text('Look:')],
      [step, finished, step, text('Rain')],
      [text('Look:'), finished, step, text('Rain')],
    ],
    ['words after a call', [finished], [step, text('Rain')], [finished, step, text('Rain')]],
    [
      'words after a file',
      [text('A map'), file],
      [step, text('Here')],
      [text('A map'), file, step, text('Here')],
    ],
    ['words after sources', [text('Lis'), source], [text('bon')], [text('Lisbon'), source]],
    ['nothing', [text('Lis')], [step], [text('Lis')]],
  ])('given %s, then it reads as one', (_, cut, more, parts) => {
    expect(continuedMessage(goingOn(cut), added(...more))).toEqual({ ...added(), parts })
  })

  it.each<[title: string, cut: Part[]]>([
    ['words', [thought('Hm'), text('Lis')]],
    ['blank ends', [text('In Lisbon \n')]],
    ['a call', [text('Look:'), finished]],
  ])('given %s, then its seam tells what the model was given', (_, parts) => {
    const cut = goingOn(parts)
    const whole = continuedMessage(cut, added(step, text('more and more')))
    expect(beforeSeam(whole, seamOf(cut)).parts).toEqual(cut.message.parts)
    expect(seamOf(cut)).toMatchObject({ messageId: 'cut' })
  })
})
