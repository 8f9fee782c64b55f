import type { UIMessage } from 'ai'
import { beforeEach, describe, expect, test } from 'vitest'
import * as lib from '@/lib/context'
import { reads, renderer, Talk, uiMessage } from '@/testing/contracts/engine/talk'

const { and, assistant, everyNTurns, FragmentValueError, first, firstN, fragment, hint } = lib
const { InMemoryContextStore, InvalidDataError, messageText, reminder, role, toolFailed, user } = lib

let talk: Talk
beforeEach(() => {
  talk = new Talk(new InMemoryContextStore())
})

// What is part of a prompt and of nothing else: values made for it, reminders, figures. No store makes a difference.

describe('values of functions and promises', () => {
  test('given functions and promises in fragments, when resolved, then each is run once, all at once', async () => {
    const calls: string[] = []
    const { promise: bothStarted, resolve: start } = Promise.withResolvers<void>()
    const loader = (name: string) => async () => {
      calls.push(name)
      if (calls.length === 2) start()
      await bothStarted
      return `text of ${name}`
    }
    const readme = loader('readme')
    const context = talk
      .engine()
      .set(
        fragment('readme', readme, readme),
        fragment('docs', fragment('guide', loader('guide'))),
        fragment('limits', Promise.resolve({ rows: async () => 10, window: null })),
      )
    const { systemPrompt } = await context.resolve({ renderer })
    expect(systemPrompt).toBe(
      [
        '<readme>\n  <item>text of readme</item>\n  <item>text of readme</item>\n</readme>',
        '<docs>\n  <guide>text of guide</guide>\n</docs>',
        '<limits>\n  <rows>10</rows>\n</limits>',
      ].join('\n'),
    )
    expect(calls).toEqual(['readme', 'guide'])
    await context.resolve({ renderer })
    expect(calls).toEqual(['readme', 'guide', 'readme', 'guide'])
  })

  test('given a function, when resolved, then it sees the chat, the branch and the messages of the prompt', async () => {
    const search = fragment('found', ({ chatId, branch, messages }) =>
      [chatId, branch, ...messages.map(messageText)].join(' '),
    )
    await talk.engine().set(user('Hi'), assistant('Hello')).save()
    const { systemPrompt } = await talk.engine().set(search, user('Where?')).resolve({ renderer })
    expect(systemPrompt).toBe(`<found>${talk.chatId} main Hi Hello Where?</found>`)
  })

  test('given one that fails, when resolved, then the error names its fragment and nothing is lost', async () => {
    const reason = new Error('offline')
    let online = false
    const context = talk.engine().set(
      fragment('docs', hint('Read them'), {
        guide: fragment('guide', async () => {
          if (!online) throw reason
          return 'text'
        }),
      }),
      user('Hi', { id: 'q1' }),
    )
    const error = await context.resolve({ renderer }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(FragmentValueError)
    expect(error).toMatchObject({ path: 'docs.guide', cause: reason })
    expect(String(error)).toContain('Fragment "docs.guide" has no value: offline')
    online = true
    expect(await reads(context)).toEqual(['Hi'])
    expect(() => context.render(renderer)).toThrow('Fragment "docs" has no value')
  })

  test('given a promise that failed long before, when resolved, then that is when it is told', async () => {
    const failed = Promise.reject(new Error('too early'))
    const context = talk.engine().set(fragment('news', { today: failed }))
    // by then the process has looked for failures that were not caught
    await new Promise((resolve) => setImmediate(resolve))
    await expect(context.resolve({ renderer })).rejects.toThrow('Fragment "news" has no value: too early')
    const late = talk.engine().set(fragment('news', () => failed))
    await expect(late.resolve({ renderer })).rejects.toThrow('news')
  })

  test('given a function that answers with itself, when resolved, then it ends', async () => {
    const endless = (): (() => never) => endless as () => never
    await expect(talk.engine().set(fragment('x', endless)).resolve({ renderer })).rejects.toThrow(
      'Fragment "x" has no value: more than 256 levels (a cycle?)',
    )
  })

  test.each([
    ['a function', () => 1],
    ['a promise', Promise.resolve(1)],
  ])('given %s in a message, when saved, then it is refused', async (what, value) => {
    const context = talk.engine()
    await context.save()
    const before = await talk.everything()
    const metadata = { later: value }
    context.set(user({ ...uiMessage('q1', 'user', 'Hi'), metadata }))
    await expect(context.save()).rejects.toEqual(new InvalidDataError(`Data must be JSON: it has ${what}`))
    expect(await talk.everything()).toEqual(before)
  })
})

describe('reminders', () => {
  test('given reminders, when resolved and saved, then the prompt has those that are due and the store none', async () => {
    const context = talk.engine().set(
      role('Be kind'),
      reminder('Say hello', { when: first() }),
      reminder('Every second turn', { when: everyNTurns(2) }),
      reminder(async ({ turn, content }) => `Turn ${turn}: ${content}`, { asPart: true }),
      reminder(() => ' '),
    )
    context.set(user('One', { id: 'q1' }))
    expect(await context.resolve({ renderer })).toEqual({
      systemPrompt: '<role>Be kind</role>',
      messages: [
        {
          id: 'q1',
          role: 'user',
          parts: [
            { type: 'text', text: 'One\n\n<system-reminder>Say hello</system-reminder>' },
            { type: 'text', text: '<system-reminder>Turn 1: One</system-reminder>' },
          ],
        },
      ],
    })
    await context.save()
    await context.set(assistant('Hello', { id: 'a1' }), user('Two', { id: 'q2' })).save()
    expect(await reads(context)).toEqual([
      'One',
      'Hello',
      'Two\n\n<system-reminder>Every second turn</system-reminder>\n<system-reminder>Turn 2: Two</system-reminder>',
    ])
    expect(await talk.texts('main')).toEqual(['One', 'Hello', 'Two'])
  })

  test('given a failed tool, when resolved, then its result has the reminder, and other results have not', async () => {
    const call = { type: 'tool-sql', toolCallId: 'c1', input: {} } as const
    const reply = {
      id: 'a2',
      role: 'assistant',
      parts: [
        { ...call, state: 'output-error', errorText: 'No table' },
        { ...call, toolCallId: 'c2', state: 'output-available', output: { rows: 1 } },
        { ...call, type: 'tool-web', toolCallId: 'c3', state: 'output-error', errorText: 'Offline' },
      ],
    } satisfies UIMessage
    const context = talk
      .engine()
      .set(
        reminder('Try again', { when: and(toolFailed('sql'), firstN(9)), target: 'tool-output' }),
        reminder('Look at the tool', { when: toolFailed() }),
        user('Old', { id: 'q1' }),
        assistant({ ...reply, id: 'a1' }),
        user('Count', { id: 'q2' }),
        assistant(reply),
      )
    await context.save()
    const { messages } = await context.resolve({ renderer })
    const { reminders } = await context.inspect({ modelId: 'demo:demo', renderer })
    expect(messages).toMatchObject([
      { parts: [{ text: 'Old' }] },
      { parts: [{ errorText: 'No table' }, { output: { rows: 1 } }, { errorText: 'Offline' }] },
      { parts: [{ text: 'Count\n\n<system-reminder>Look at the tool</system-reminder>' }] },
      {
        parts: [
          { errorText: 'No table\n\n<system-reminder>Try again</system-reminder>' },
          { output: { rows: 1 } },
          { errorText: 'Offline' },
        ],
      },
    ])
    expect(reminders).toEqual([
      { target: 'user', text: 'Look at the tool', messageId: 'q2' },
      { target: 'tool-output', text: 'Try again', messageId: 'a2', toolCallId: 'c1' },
    ])
    expect((await talk.store.getMessage(talk.chatId, 'a2'))?.data).toEqual(reply)
  })

  test('given a reminder that fails, when resolved, then the prompt is refused and says why', async () => {
    const fails = () => Promise.reject(new Error('no clock'))
    const context = talk.engine().set(reminder(fails), user('Hi'))
    await expect(context.resolve({ renderer })).rejects.toThrow('Fragment "reminder" has no value: no clock')
  })
})

describe('replies with nothing in them', () => {
  test('given some, stored and pending, when resolved, then the prompt is without them and the chain is not', async () => {
    const empty = (id: string, ...parts: UIMessage['parts']) => assistant({ id, role: 'assistant', parts })
    const signed = { anthropic: { signature: 's' } }
    const context = talk
      .engine()
      .set(
        user('Hi', { id: 'q1' }),
        empty('a1'),
        empty('a2', { type: 'step-start' }, { type: 'text', text: ' ' }, { type: 'reasoning', text: '' }),
        empty('a3', { type: 'reasoning', text: '', providerMetadata: signed }),
      )
    await context.save()
    const { messages } = await context.set(user('Well?', { id: 'q2' }), empty('a4')).resolve({ renderer })
    expect(messages).toMatchObject([{ id: 'q1' }, { id: 'a3' }, { id: 'q2' }])
    expect(await talk.ids('main')).toEqual(['q1', 'a1', 'a2', 'a3'])
  })
})

describe('figures', () => {
  test('given a prompt, when estimated, then every fragment and message has its figure beside the whole', async () => {
    const context = talk.engine().set(
      role('Be kind'),
      fragment('later', async () => 'x'.repeat(400)),
      reminder('Never', { when: () => false }),
      user('Hi'),
    )
    await context.set(assistant('Hello', { id: 'a1' })).save()
    const estimate = await context.set(user('More', { id: 'q2' })).estimate('openai:gpt-4o')
    expect(estimate.fragments).toMatchObject([
      { name: 'role', tokens: 5 },
      { name: 'later', tokens: 104 },
      { name: 'user', tokens: 1 },
      { name: 'assistant', id: 'a1', tokens: 2 },
      { name: 'user', id: 'q2', tokens: 1 },
    ])
    expect(estimate.tokens).toBe(112)
    expect(estimate.fragments[1]?.cost).toBeCloseTo((104 * 2.5) / 1_000_000)
    expect((await context.inspect({ modelId: 'openai:gpt-4o', renderer })).estimate).toEqual(estimate)
  })

  test('given calls, when their usage is tracked, then the chat keeps the sum beside its other metadata', async () => {
    const context = talk.engine({ metadata: { source: 'web' } })
    const usage = {
      inputTokens: 10,
      inputTokenDetails: { noCacheTokens: 8, cacheReadTokens: 2, cacheWriteTokens: undefined },
      outputTokens: 5,
      outputTokenDetails: { textTokens: 5, reasoningTokens: undefined },
      totalTokens: 15,
      raw: { units: 15 },
    }
    await context.trackUsage(usage)
    await talk.engine().trackUsage(usage)
    await context.trackUsage({ ...usage, outputTokens: undefined })
    expect((await talk.store.getChat(talk.chatId))?.metadata).toEqual({
      source: 'web',
      usage: {
        inputTokens: 30,
        inputTokenDetails: { noCacheTokens: 24, cacheReadTokens: 6 },
        outputTokens: 10,
        outputTokenDetails: { textTokens: 15 },
        totalTokens: 45,
      },
    })
    expect(context.chat).toEqual(await talk.store.getChat(talk.chatId))
    const before = await talk.everything()
    await expect(context.trackUsage({ ...usage, inputTokens: -1 })).rejects.toThrow('not a count')
    await expect(context.trackUsage({ ...usage, totalTokens: Number.NaN })).rejects.toThrow('not a count')
    expect(await talk.everything()).toEqual(before)
  })
})
