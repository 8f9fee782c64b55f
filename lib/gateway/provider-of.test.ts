import { expect, it } from 'vitest'
import type { AgentProtocol } from './agent-call'
import { idsOfUnlisted } from './provider-of'

const providers: Record<string, readonly AgentProtocol[]> = {
  openai: ['chat-completions', 'responses'],
  anthropic: ['messages'],
  google: [],
  openrouter: ['chat-completions'],
  'openai-compatible': ['chat-completions'],
}
const ids = (name: string, protocol: AgentProtocol, ...open: string[]) =>
  idsOfUnlisted(
    name,
    protocol,
    open.map((each) => ({ name: each, protocols: providers[each] ?? [] })),
  )

it.each([
  ...['claude-opus-4-8', 'claude-opus-4-8[1m]', 'opus[1m]', 'claude-3-5-haiku-20241022'].map((name) => [
    name,
    'anthropic',
  ]),
  ...['gpt-6.2-sol', 'gpt-5.4-nano', 'o3', 'o4-mini', 'chatgpt-4o-latest', 'codex-mini-latest'].map(
    (name) => [name, 'openai'],
  ),
  ...['ft:gpt-4.1:acme::1', 'text-embedding-3-small'].map((name) => [name, 'openai']),
  ['gemini-2.5-pro', 'google'],
])('%s belongs to %s, whatever protocol asks and whether or not it has a key', (name = '', provider) => {
  for (const open of [['openai', 'anthropic', 'google', 'openrouter'], ['openrouter'], []])
    for (const protocol of ['messages', 'responses'] as const)
      expect(ids(name, protocol, ...open)).toEqual([`${provider}:${name}`])
})

it('a name of no family goes to the only provider, or the only one that speaks the protocol', () => {
  expect(ids('opus', 'chat-completions', 'anthropic')).toEqual(['anthropic:opus'])
  expect(ids('opus', 'messages', 'openai', 'anthropic')).toEqual(['anthropic:opus'])
  expect(ids('qwen3-coder-plus', 'chat-completions', 'openai-compatible', 'anthropic')).toEqual([
    'openai-compatible:qwen3-coder-plus',
  ])
  expect(ids('o-something', 'messages', 'openai', 'google')).toEqual([
    'openai:o-something',
    'google:o-something',
  ])
  expect(ids('qwen3-coder-plus', 'chat-completions', 'openai', 'openai-compatible')).toHaveLength(2)
})

it('a server that speaks OpenAI’s protocol gets the families whose provider has no key', () => {
  expect(ids('claude-opus-4-8', 'chat-completions', 'openai-compatible')).toEqual([
    'openai-compatible:claude-opus-4-8',
  ])
  expect(ids('claude-opus-4-8', 'messages', 'anthropic', 'openai-compatible')).toEqual([
    'anthropic:claude-opus-4-8',
  ])
})

it('a slashed name goes to the provider before the slash, or to a router as it is', () => {
  expect(ids('anthropic/claude-opus-4-8', 'messages', 'anthropic', 'openrouter')).toEqual([
    'anthropic:claude-opus-4-8',
  ])
  expect(ids('anthropic/claude-opus-4-8', 'messages', 'openai', 'openrouter')).toEqual([
    'openrouter:anthropic/claude-opus-4-8',
  ])
})

it('no name, and no provider, is nothing', () => {
  expect(ids('', 'messages', 'anthropic')).toEqual([])
  expect(ids('opus', 'messages')).toEqual([])
})
