import { expect, test } from 'vitest'
import { betterModel } from './better-model'

const demo = { id: 'demo:demo', provider: 'demo' }
const ollama = { id: 'ollama:llama3', provider: 'ollama' }
const studio = { id: 'lmstudio:qwen', provider: 'lmstudio' }
const keyed = { id: 'openai:gpt', provider: 'openai' }

test.each([
  ['the demo model alone, then a key', [demo], 'key'],
  ['a server that was found on this machine, then its model', [ollama, demo], ollama],
  ['another such server, then its model', [studio, demo], studio],
  ['a key, then nothing', [keyed, demo], null],
  ['a key and a server, then nothing: a choice was made', [ollama, keyed, demo], null],
])('given %s', (_, models, way) => {
  expect(betterModel(models)).toBe(way)
})
