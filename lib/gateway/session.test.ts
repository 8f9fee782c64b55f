import { expect, it } from 'vitest'
import { type ClientCall, clientCalls } from '@/testing/fixtures/client-calls'
import { linksOf } from './chain'
import { summaryIn } from './compaction'
import { chatCompletions } from './protocols/chat-completions'
import { messages } from './protocols/messages'
import { responses } from './protocols/responses'
import { readSession } from './session'

const protocols = { messages, responses, 'chat/completions': chatCompletions }
const { claudeCode, codex, opencode, qwen } = clientCalls

const read = ({ path, body }: ClientCall) => protocols[path as keyof typeof protocols].readCall(body)
const sessionOf = (call: ClientCall, headers = call.headers) =>
  readSession(new Headers(headers), call.body, read(call))

const CLAUDE = 'e27de179-87c7-431d-a5f6-8e9dea5f25e3'
const CODEX = '01a21bb2-0613-7642-8851-c01f01141f0a'
const OPENCODE = 'ses_de44eb174ffeKVSQTO7HQJWGDy'

it.each([
  ['Claude Code', claudeCode.first, { thread: [CLAUDE] }],
  [
    'a sub-agent of Claude Code',
    claudeCode['sub-agent'],
    { thread: [CLAUDE, 'ad0d98b30a9426302'], parent: [CLAUDE] },
  ],
  ['Codex', codex.first, { thread: [CODEX] }],
  [
    'a sub-agent of Codex',
    codex['sub-agent'],
    { thread: [CODEX, '01a21bb2-075c-7e71-b3c5-6c9dde0a8fb5'], parent: [CODEX] },
  ],
  ['OpenCode', opencode.first, { thread: [OPENCODE] }],
  [
    'a sub-agent of OpenCode',
    opencode['sub-agent'],
    { thread: ['ses_de44ea7b8ffexuAKl9FkZEgKnO'], parent: [OPENCODE] },
  ],
])('%s names its session', (_, call, names) => {
  expect(sessionOf(call)).toEqual({ ...names, isShared: true, asksTitle: false })
})

it('a sub-agent of a sub-agent names the one that began it', () => {
  const headers = { ...claudeCode['sub-agent'].headers, 'x-claude-code-parent-agent-id': 'another' }
  expect(sessionOf(claudeCode['sub-agent'], headers)?.parent).toEqual([CLAUDE, 'another'])
})

it('the body names the session where no header does; the key of a cache joins nothing', () => {
  expect(sessionOf(claudeCode.first, {})).toMatchObject({ thread: [CLAUDE], isShared: true })
  expect(sessionOf(codex.first, {})).toMatchObject({ thread: [CODEX], isShared: false })
  expect(sessionOf(qwen.first)).toBeUndefined()
})

it.each([
  { metadata: { user_id: '{"session_id": 7}' } },
  { metadata: { user_id: '{not JSON' } },
  { metadata: { user_id: 'a person' } },
  { metadata: [], prompt_cache_key: '' },
  { prompt_cache_key: 7 },
])('a body names no session: %j', (body) => {
  expect(readSession(new Headers(), body, read(claudeCode.first))).toBeUndefined()
})

it('only the call for a title asks for one', () => {
  const all = [claudeCode, codex, opencode, qwen].flatMap((calls) => Object.entries(calls))
  const asking = all.filter(([, call]) => sessionOf(call)?.asksTitle).map(([name]) => name)
  expect(asking).toEqual(['title'])
  const titled = { ...read(opencode.title), system: ['You help with a book. Its title generates interest.'] }
  expect(readSession(new Headers(opencode.title.headers), {}, titled)?.asksTitle).toBe(false)
})

it('only what follows a compaction begins with a summary', () => {
  const all = [claudeCode, codex, opencode, qwen].flatMap((calls) => Object.entries(calls))
  const summed = all.filter(([, call]) => summaryIn(linksOf(read(call).messages)) !== undefined)
  expect(summed.map(([name]) => name)).toEqual(['compacted', 'compacted'])
})

it('the answer to the question of OpenCode is a summary', () => {
  const said = [
    { role: 'user' as const, content: 'What did we do so far?' },
    { role: 'assistant' as const, content: 'We fixed it.' },
  ]
  expect(summaryIn(said)).toBe(1)
  expect(summaryIn(said.slice(0, 1))).toBeUndefined()
})
