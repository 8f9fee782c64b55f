import { expect, it } from 'vitest'
import { findModel } from '@/lib/gateway/find-model'

const ids = [
  ...['openai:gpt-4.1', 'anthropic:claude-sonnet-5-5', 'openrouter:openai/gpt-4.1', 'ollama:llama3.2:3b'],
  ...['groq:same', 'ollama:same', 'demo:demo'],
]

it.each([
  ['openai:gpt-4.1', 'openai:gpt-4.1'],
  ['gpt-4.1', 'openai:gpt-4.1'],
  ['llama3.2:3b', 'ollama:llama3.2:3b'],
  ['openai/gpt-4.1', 'openrouter:openai/gpt-4.1'],
  ['anthropic/claude-sonnet-5-5', 'anthropic:claude-sonnet-5-5'],
  ['claude-sonnet-5-5-20260901', 'anthropic:claude-sonnet-5-5'],
  ['gpt-4.1-2026-04-14', 'openai:gpt-4.1'],
  ['claude-sonnet-5-5-latest', 'anthropic:claude-sonnet-5-5'],
])('given %s, then %s is meant', (name, id) => {
  expect(findModel(name, ids)).toMatchObject({ id })
})

it.each([
  ['gpt-4.1', 'openai:gpt-4.1'],
  ['gpt-4.1-2026-04-14', 'openai:gpt-4.1-2026-04-14'],
  ['openai/gpt-4.1-2026-04-14', 'openrouter:openai/gpt-4.1-2026-04-14'],
  ['anthropic/claude-sonnet-5-5-20260901', 'anthropic:claude-sonnet-5-5-20260901'],
  ['claude-sonnet-5-5[1m]', 'anthropic:claude-sonnet-5-5[1m]'],
  ['claude-sonnet-5-5-20260901[1m]', 'anthropic:claude-sonnet-5-5-20260901[1m]'],
])('given %s, then its provider is asked for it as %s', (name, asked) => {
  expect(findModel(name, ids)).toMatchObject({ asked })
})

it('given a name of two providers, then both are told', () => {
  expect(findModel('same', ids)).toEqual({ several: ['groq:same', 'ollama:same'] })
})

it.each(['gpt-99', '', 'openai:', 'gpt-4.1-20260101-extra'])('given %j, then nothing is meant', (name) => {
  expect(findModel(name, ids)).toBeUndefined()
})
