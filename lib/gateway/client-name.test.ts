import { expect, it } from 'vitest'
import { agentClientOf } from '@/lib/events/agent-client'
import { clientName } from './client-name'

it.each([
  ['claude-cli/2.1.197 (external, sdk-cli)', [], 'claude-code'],
  ['codex_exec/0.171.0 (Debian 12.0.0; x86_64) dumb', [], 'codex'],
  ['codex_cli_rs/0.171.0', [], 'codex'],
  ['opencode/1.18.33 (linux) ai-sdk/provider-utils/4.0.40', [], 'opencode'],
  ['QwenCode/0.15.10 (linux; x64)', ['You are Cline, quoted by a person'], 'qwen-code'],
  ['ls/JS 5.23.2', ['You are an agent in the Continue CLI. Given…'], 'continue'],
  ['ai-sdk/openai-compatible/3.0.37', ['You are Cline, an AI coding agent.'], 'cline'],
  [
    'OpenAI/JS 6.26.0',
    ['You are an expert coding assistant operating inside pi, a coding agent harness.'],
    'pi',
  ],
  ['OpenAI/JS 6.26.0', ['You are helpful.'], 'api'],
  ['pip/24', [], 'api'],
  ['codexample/1', [], 'api'],
  [null, ['You are Cline, an AI coding agent.'], 'cline'],
] as const)('%s with %j is %s', (header, system, client) => {
  expect(agentClientOf(clientName(header, system) ?? '')).toBe(client)
})

it('a name is kept short, and a program without one has none', () => {
  expect(clientName(`x${'y'.repeat(500)}`, [])).toHaveLength(200)
  expect(clientName(null, [])).toBeUndefined()
})
