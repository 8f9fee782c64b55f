import type { UIMessage } from 'ai'
import { describe, expect, it } from 'vitest'
import { modelPrompt, sentPrompt } from './model-prompt'

const user = (id: string, text: string): UIMessage => ({ id, role: 'user', parts: [{ type: 'text', text }] })
const reply = (id: string, model: string | undefined, ...parts: UIMessage['parts']): UIMessage => ({
  id,
  role: 'assistant',
  parts,
  metadata: { model },
})
const thought: UIMessage['parts'][number] = {
  type: 'reasoning',
  text: 'Hm.',
  providerMetadata: { anthropic: { signature: 'abc' } },
}
const words: UIMessage['parts'][number] = {
  type: 'text',
  text: 'Well.',
  providerMetadata: { google: { thoughtSignature: 'abc' } },
}

describe('a chain as a model reads it', () => {
  it.each([['openai:other'], [undefined]])(
    'given a reply of %s, then its thoughts and its provider’s data are not for this model',
    async (model) => {
      const { messages } = await modelPrompt({
        modelId: 'anthropic:this',
        messages: [user('u1', 'one'), reply('r1', model, thought, words)],
      })
      expect(messages[1]).toEqual({ role: 'assistant', content: [{ type: 'text', text: 'Well.' }] })
    },
  )

  it('given its own reply, then all of it is there', async () => {
    const { messages } = await modelPrompt({
      modelId: 'anthropic:this',
      messages: [user('u1', 'one'), reply('r1', 'anthropic:this', thought, words)],
    })
    expect(messages[1]?.content).toMatchObject([{ type: 'reasoning' }, { type: 'text' }])
  })

  it('given calls that were never answered, then nothing of them is sent, and each message knows where it is from', async () => {
    const chain = [
      user('u1', 'one'),
      reply('r1', 'a:b', {
        type: 'dynamic-tool',
        toolName: 'weather',
        toolCallId: '1',
        state: 'input-available',
        input: {},
      }),
      user('u2', 'two'),
      reply('r2', 'a:b', words),
      user('u3', 'three'),
    ]
    const receiver = { provider: 'openai-compatible', model: 'strict' }
    const { messages, from } = await sentPrompt({ messages: chain, instructions: 'Be kind' }, receiver)
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
    expect(from.map(({ id }) => id)).toEqual(['u1', 'r2', 'u3'])
  })

  it('given a model without a place for instructions, then there are none but in its first question', async () => {
    const receiver = { provider: 'ollama', model: 'gemma2' }
    const { system, messages } = await sentPrompt(
      { messages: [user('u1', 'one')], instructions: 'Be kind' },
      receiver,
    )
    expect(system).toBeUndefined()
    expect(messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Be kind\n\none' }] }])
  })
})
