import { describe, expect, it } from 'vitest'
import { modelName, tokenWords } from '@/components/thread/facts'

const models = [{ id: 'demo:demo', label: 'Demo (built in, no key)', provider: 'demo' }]

describe('what is known of a reply', () => {
  it('names its model as it is offered, without the remark for those who choose; else by the end of its id', () => {
    expect(modelName(models, 'demo:demo')).toBe('Demo')
    expect(modelName(models, 'openai-compatible:llama3:8b')).toBe('llama3:8b')
    expect(modelName(models, 'gone')).toBe('gone')
  })

  it('counts the tokens its model told', () => {
    expect(tokenWords({ inputTokens: 1204, outputTokens: 512 })).toBe('1,204 tokens in, 512 out')
    expect(tokenWords({ outputTokens: 512 })).toBe('512 tokens')
    expect(tokenWords({ inputTokens: 7 })).toBe('7 tokens in')
    expect(tokenWords({})).toBe(null)
    expect(tokenWords(undefined)).toBe(null)
  })
})
