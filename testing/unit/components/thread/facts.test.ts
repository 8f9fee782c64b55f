import { expect, it } from 'vitest'
import { modelName, tokenWords } from '@/components/thread/facts'

// the remark for those who choose is no part of the name; one that is gone is the end of its id
it.each([
  ['demo:demo', 'Demo'],
  ['openai-compatible:llama3:8b', 'llama3:8b'],
  ['gone', 'gone'],
])('given the model %s, then its name is %s', (id, name) => {
  const models = [{ id: 'demo:demo', label: 'Demo (built in, no key)', provider: 'demo' }]
  expect(modelName(models, id)).toBe(name)
})

it.each([
  [{ inputTokens: 1204, outputTokens: 512 }, '1,204 tokens in, 512 out'],
  [{ outputTokens: 512 }, '512 tokens'],
  [{ inputTokens: 7 }, '7 tokens in'],
  [{}, null],
  [undefined, null],
])('given the usage %j, then the words are %j', (usage, words) => expect(tokenWords(usage)).toBe(words))
