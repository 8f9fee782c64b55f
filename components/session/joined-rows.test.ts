import { describe, expect, it } from 'vitest'
import type { ChatMessage, GraphNode } from '@/lib/protocol'
import { joinedRows, rowGroups } from './joined-rows'
import type { ThreadRow } from './thread-rows'

const called = (toolCallId: string, state = 'input-available') => ({
  type: 'dynamic-tool',
  toolName: 'run_tests',
  toolCallId,
  input: { path: toolCallId },
  state,
  ...(state === 'approval-requested' && { approval: { id: `may ${toolCallId}` } }),
})
const answered = (toolCallId: string, more: object = {}) => ({
  ...called(toolCallId),
  state: 'output-available',
  input: {},
  output: '2 failed',
  ...more,
})
const text = (words: string) => ({ type: 'text', text: words })

/** Rows of a chain: ids with roles, and what they hold. */
const rows = (...said: [id: string, role: string, ...parts: object[]][]): ThreadRow[] =>
  said.map(([id, role, ...parts], depth) => {
    const node: GraphNode = { id, role, depth, lane: 0, preview: '', status: 'done', createdAt: 0 }
    const message = { id, role: role === 'tool' ? 'assistant' : role, parts } as ChatMessage
    return { node, message }
  })
const partsOf = (found: readonly ThreadRow[]) =>
  found.map(({ node, message }) => [
    node.id,
    ...message.parts.map((part) =>
      'toolCallId' in part ? `${part.toolCallId} ${part.state} ${JSON.stringify(part.input)}` : part.type,
    ),
  ])

describe('calls of tools and their answers', () => {
  it('given answers in the message below, then they stand where the call was made, with its arguments, and the message is gone', () => {
    const joined = joinedRows(
      rows(
        ['q', 'user', text('Mend it')],
        ['a', 'assistant', text('I look.'), called('one'), called('two')],
        ['t', 'tool', answered('one'), answered('two', { state: 'output-error', errorText: 'no' })],
        ['b', 'assistant', text('Done')],
      ),
    )
    expect(partsOf(joined)).toEqual([
      ['q', 'text'],
      ['a', 'text', 'one output-available {"path":"one"}', 'two output-error {"path":"two"}'],
      ['b', 'text'],
    ])
    expect(joined.map(({ at, answeredIn }) => [at, answeredIn])).toEqual([
      [0, []],
      [1, ['t']],
      [3, []],
    ])
  })

  it('given a reply that goes on after a person allowed a tool, then the answer stands with the question, and the rest below it', () => {
    const approval = { id: 'may one', approved: true }
    const joined = joinedRows(
      rows(
        ['a', 'assistant', called('one', 'approval-requested')],
        ['b', 'assistant', answered('one', { approval }), text('It is 14.')],
      ),
    )
    expect(partsOf(joined)).toEqual([
      ['a', 'one output-available {"path":"one"}'],
      ['b', 'text'],
    ])
    expect(joined[0]?.message.parts[0]).toMatchObject({ approval })
  })

  it('given answers to calls that are not above, or other words between, then every message is as it was', () => {
    const given = rows(
      ['t', 'tool', answered('one')],
      ['a', 'assistant', called('two')],
      ['q', 'user', text('Go on')],
      ['u', 'tool', answered('two')],
    )
    expect(joinedRows(given).map(({ message }) => message)).toEqual(given.map(({ message }) => message))
  })

  it('given a page of a long chat that begins with an answer, when the page before it comes, then the answer stands with its call', () => {
    const given = rows(
      ['q', 'user', text('Mend it')],
      ['a', 'assistant', called('one')],
      ['t', 'tool', answered('one')],
      ['b', 'assistant', text('Done')],
    )
    expect(joinedRows(given.slice(2)).map(({ node }) => node.id)).toEqual(['t', 'b'])
    expect(partsOf(joinedRows(given))).toEqual([
      ['q', 'text'],
      ['a', 'one output-available {"path":"one"}'],
      ['b', 'text'],
    ])
  })

  it('given parts that are no parts at all, then they are kept', () => {
    const given = rows(['a', 'assistant', called('one')], ['b', 'tool', null as never, answered('one')])
    expect(partsOf(joinedRows(given.slice(0, 1)))).toHaveLength(1)
    expect(joinedRows(given)[1]?.message.parts).toEqual([null])
  })
})

describe('rows that are steps', () => {
  const shape = (given: ThreadRow[], isPlain = () => true) =>
    rowGroups(joinedRows(given), isPlain).map((group) =>
      group.kind === 'row' ? group.row.node.id : group.rows.map(({ node }) => node.id),
    )
  const step = (id: string): [string, string, object] => [id, 'assistant', answered(id)]

  it('given steps, some with words before their call, then those in a row stand together', () => {
    const given = rows(
      ['q', 'user', text('Mend it')],
      step('a'),
      step('b'),
      ['c', 'assistant', text('Now I test.'), answered('c')],
      step('d'),
      ['e', 'assistant', called('e', 'approval-requested')],
      ['f', 'assistant', answered('f'), text('It is mended.')],
    )
    expect(shape(given)).toEqual(['q', ['a', 'b', 'c', 'd'], 'e', 'f'])
    expect(shape(given, () => false)).toEqual(['q', 'a', 'b', 'c', 'd', 'e', 'f'])
  })

  it('given context that an agent has added, then it stands together, and goes with the steps that it stands between', () => {
    const environment = '<environment_context>\n<cwd>/</cwd>\n</environment_context>'
    const given = rows(
      ['s', 'system', text('Be kind.')],
      ['u', 'user', text(environment)],
      ['q', 'user', text(`Mend it\n${environment}`)],
      ['r', 'system', text('Use the tools.')],
      step('a'),
      ['m', 'system', text('Use the task tools.')],
      step('b'),
      ['end', 'assistant', text('Done.')],
    )
    expect(shape(given)).toEqual([['s', 'u'], 'q', ['r'], ['a', 'm', 'b'], 'end'])
  })
})
