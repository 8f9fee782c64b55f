import type { GivenChat } from './plant-chat'

const answer = (output: unknown) => ({ state: 'output-available', output })
const failure = (errorText: string) => ({ state: 'output-error', errorText })

/** What an agent does in turn: a tool, its arguments, and how it ends. */
const deeds = [
  ['Read', { file_path: '/repo/src/lease22.ts' }, answer('1\tconst a = 1\n2\tconst b = 2\n3\t')],
  ['Grep', { pattern: 'renewLease\\(', path: 'src' }, answer('src/lease22.ts:12\nsrc/worker.ts:40')],
  ['Edit', { file_path: '/repo/src/lease22.ts', old_string: 'a', new_string: 'b' }, failure('Error: locked')],
  [
    'Bash',
    { command: 'cd /repo && npm test -- lease', description: 'Test' },
    failure('Exit code 1\n2 tests failed'),
  ],
  [
    'Edit',
    { file_path: '/repo/src/worker.ts', old_string: 'a', new_string: 'b' },
    answer('The file was updated.'),
  ],
  ['mcp__github__create_issue', { title: 'The lease is lost when a worker sleeps' }, answer('#418')],
] as const

/**
 * The run of an agent, as the gateway stores it: calls and their answers in messages of their own, now and then a sentence, two
 * turns of a person. Sixty steps.
 */
export function agentRun(): GivenChat {
  const says: GivenChat['branches'][number]['says'][number][] = [
    { id: 'ask', says: 'The lease of a worker that sleeps is lost. Find out why, and mend it.' },
  ]
  for (let at = 0; at < 60; at++) {
    const [toolName, input, ending] = deeds[at % deeds.length] ?? deeds[0]
    const call = { type: 'dynamic-tool', toolName, toolCallId: `call-${at}`, input }
    const words = at % 20 === 0 ? [{ type: 'text', text: `I look at part ${at / 20 + 1} first.` }] : []
    says.push(
      { id: `call-${at}`, role: 'assistant', says: [...words, { ...call, state: 'input-available' }] },
      { id: `answer-${at}`, role: 'tool', says: [{ ...call, ...ending }] },
    )
    if (at === 30)
      says.push(
        { id: 'half', role: 'assistant', says: 'Half of it is done: the lease is renewed by a timer.' },
        { id: 'hurry', says: 'Go on, and leave the timer as it is.' },
      )
  }
  says.push({ id: 'end', role: 'assistant', says: 'The lease is kept now. Every test passes.' })
  return { title: 'Mend the lease', branches: [{ name: 'main', says }] }
}
