import { expect, test } from 'vitest'
import type { ChatContext, ToolList } from '@/lib/protocol'
import { toolWords } from './tool-words'

const tool = (name: string): ToolList['tools'][number] => ({
  name,
  title: name,
  description: '',
  server: null,
  input_schema: {},
  default_approval: 'ask',
})
const offered: ToolList = { tools: ['clock', 'calculator', 'search'].map(tool), servers: [] }
const words = (choices: ChatContext['tools'], callsTools: boolean | null = true) =>
  toolWords({ choices, offered, callsTools })

test('only tools that the next reply is offered are said to be on', () => {
  expect(words({})).toBe('none')
  expect(words({ clock: 'never' })).toBe('none')
  expect(words({ clock: 'always', search: 'always' })).toBe('2 on')
  expect(words({ clock: 'always', search: 'ask' })).toBe('2 on, 1 asking first')
  expect(words({ clock: 'ask', search: 'ask' }, null)).toBe('2 on, asking first')
  expect(words({ clock: 'always', gone: 'always' })).toBe('1 on, 1 not available')
  expect(words({ gone: 'always' })).toBe('none on, 1 not available')
  expect(words({ clock: 'always' }, false)).toMatch(/^none/)
})

test('as long as it is not known what there is, nothing is said to be on', () => {
  expect(toolWords({ choices: { clock: 'always' }, offered: null, callsTools: true })).toBeUndefined()
})
