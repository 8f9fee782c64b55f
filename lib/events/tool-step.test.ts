import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stepLine, stepOf, stepsIn, stepsLine, sumOfLines } from './tool-step'

/** A call with its answer, as it is stored. */
const answered = (tool: string, input: unknown, output: unknown) => ({
  type: 'dynamic-tool',
  toolName: tool,
  toolCallId: 'call-1',
  state: 'output-available',
  input,
  output,
})
const refused = (tool: string, input: unknown, errorText: string) => ({
  ...answered(tool, input, undefined),
  state: 'output-error',
  errorText,
})
const lineOf = (part: unknown): string => {
  const step = stepOf(part)
  return step ? stepLine(step) : ''
}

describe('a step of a tool on one line', () => {
  it.each([
    // Claude Code
    [
      'Read cart.js ✓ 3 lines',
      answered('Read', { file_path: '/home/ada/src/cart.js' }, '1\ta\n2\tb\n3\tc\n'),
    ],
    [
      'Edit lease22.ts ✕ locked',
      refused('Edit', { file_path: 'src/lease22.ts', old_string: 'a', new_string: '' }, 'Error: locked'),
    ],
    [
      'Bash npm test ✕ exit 1',
      refused('Bash', { command: 'cd "/tmp/a b" && npm test', description: 'Run' }, 'Exit code 1\n2 failed'),
    ],
    [
      'Grep foo.*bar in src ✓ 2 lines',
      answered('Grep', { pattern: 'foo.*bar', path: '/repo/src' }, 'a.ts:1\nb.ts:2'),
    ],
    ['Glob **/__init__.py ✓ a.py', answered('Glob', { pattern: '**/__init__.py' }, 'a.py')],
    [
      'WebFetch example.com/docs/a ✓',
      answered(
        'WebFetch',
        { url: 'https://www.example.com/docs/a/?token=1', prompt: 'x' },
        'A long answer about what this page says in full',
      ),
    ],
    [
      'Write a.ts ✕ not allowed',
      refused(
        'Write',
        { file_path: 'a.ts', content: 'x' },
        "The user doesn't want to proceed with this tool use. The tool use was rejected",
      ),
    ],
    [
      'Read b.md ✕ File does not exist.',
      refused('Read', { file_path: 'b.md' }, '<tool_use_error>File does not exist.</tool_use_error>'),
    ],
    [
      'Task Look at the cart ✓',
      answered('Task', { description: 'Look at the cart', prompt: 'You…', subagent_type: 'x' }, [
        { type: 'text', text: 'It sums the items and not their prices.' },
      ]),
    ],
    ['TaskUpdate #2 in progress ✓', answered('TaskUpdate', { taskId: '2', status: 'in_progress' }, '')],
    [
      'TodoWrite 1 of 3 done ✓',
      answered(
        'TodoWrite',
        { todos: ['completed', 'in_progress', 'pending'].map((status) => ({ content: 'x', status })) },
        'Todos have been modified successfully and are kept',
      ),
    ],
    ['Agent Look at it ✓', answered('Agent', { prompt: 'You are…', description: 'Look at it' }, '')],
    // Qwen, Continue, Cline, pi
    [
      'run_shell_command npm test ✕ exit 1',
      answered(
        'run_shell_command',
        { command: 'npm test', description: 'Test' },
        'Command: npm test\nDirectory: (root)\nOutput: 1\n2\n3\nError: (none)\nExit Code: 1\nSignal: (none)',
      ),
    ],
    ['Checklist 1 of 2 done ✓', answered('Checklist', { checklist: '- [x] Read\n- [ ] Write' }, '')],
    [
      'read_files a.ts +1',
      {
        ...answered('read_files', { files: [{ path: 'x/a.ts' }, { path: 'b.ts' }] }, ''),
        state: 'input-available',
      },
    ],
    [
      'run_commands npm test +1 ✕ exit 1',
      answered('run_commands', { commands: ['npm test', 'ls'] }, [
        { query: 'npm test', success: false, error: 'exit code 1' },
        { query: 'ls', success: true, result: 'a' },
      ]),
    ],
    ['edit a.ts ✓', answered('edit', { path: 'x/a.ts', edits: [{ oldText: 'a', newText: 'b' }] }, '')],
    // Codex
    [
      'update_plan 2 of 2 done ✓',
      answered(
        'update_plan',
        {
          plan: [
            { step: 'a', status: 'completed' },
            { step: 'b', status: 'completed' },
          ],
        },
        '',
      ),
    ],
    [
      'exec npm test ✓',
      answered('exec', 'const r = await tools.exec_command({ cmd: "cd /x && npm test" })\ntext(r)', ''),
    ],
    [
      'exec a.ts ✓',
      answered(
        'exec',
        'await tools.apply_patch("*** Begin Patch\\n*** Update File: src/a.ts\\n@@\\n*** End Patch")',
        '',
      ),
    ],
    ['exec view_image shot.png ✓', answered('exec', "await tools.view_image({ path: 'shot.png' })", '')],
    [
      'shell npm run build ✕ exit 2',
      answered(
        'shell',
        '{"command":["bash","-lc","npm run build"],"workdir":"/x"}',
        '{"output":"boom","metadata":{"exit_code":2,"duration_seconds":1}}',
      ),
    ],
    [
      'shell rg TODO ✓ 2 lines',
      answered(
        'shell',
        { command: ['rg', 'TODO'] },
        '{"output":"Error: a\\nb\\n","metadata":{"exit_code":0}}'.replace('Error: a', 'a'),
      ),
    ],
    [
      'exec_command ls -la ✕ exit 127',
      answered('exec_command', { cmd: 'ls -la' }, 'Process exited with code 127\nOutput:\n'),
    ],
    [
      'apply_patch a.ts +1 ✓',
      answered(
        'apply_patch',
        '*** Begin Patch\n*** Update File: src/a.ts\n@@\n*** Add File: b.ts\n*** End Patch',
        'Success. Updated the following files: M src/a.ts',
      ),
    ],
    [
      'apply_patch a.ts ✓',
      answered(
        'apply_patch',
        { input: '*** Begin Patch\n*** Delete File: src/a.ts\n*** End Patch' },
        'Done!',
      ),
    ],
    // opencode, Cursor, the editor of Anthropic
    [
      'edit lease.ts ✓',
      answered('edit', { filePath: 'C:\\work\\lease.ts', oldString: '', newString: 'x' }, 'ok'),
    ],
    [
      'search_replace a.rs ✓',
      answered('search_replace', { file_path: 'a.rs', old_string: 'q' }, { success: true }),
    ],
    [
      'str_replace_based_edit_tool a.ts ✓',
      answered('str_replace_based_edit_tool', { command: 'view', path: '/repo/a.ts' }, ''),
    ],
    [
      'multi_edit a.ts +1 ✓',
      answered(
        'multi_edit',
        {
          edits: [
            { path: 'x/a.ts', text: '1' },
            { path: 'x/b.ts', text: '2' },
          ],
        },
        null,
      ),
    ],
    // MCP, and tools of Ramify
    [
      'github create_issue Cart is wrong ✓',
      answered(
        'mcp__github__create_issue',
        { owner: 'a', title: 'Cart is wrong', body: 'b' },
        { content: [{ type: 'text', text: 'Created issue number four in the repository' }], isError: false },
      ),
    ],
    [
      'db query select 1 ✕ relation "x" missing',
      answered(
        'mcp__db__query',
        { sql: 'select 1' },
        { content: [{ type: 'text', text: 'Error: relation "x" missing' }], isError: true },
      ),
    ],
    ['calculator 2 * (3 + 4) ✓ 14', answered('calculator', { expression: '2 * (3 + 4)' }, { result: '14' })],
    ['search_chats Lisbon ✓ 2 results', answered('search_chats', { query: 'Lisbon' }, { hits: [{}, {}] })],
    [
      'run_tests test ✕ 2 tests failed',
      answered('run_tests', { path: 'test' }, '2 tests failed\n\n  ✗ cart > sums'),
    ],
    // calls that nobody named
    ['add 2 ✓ 14', answered('add', { a: 2, b: 12 }, { result: 14 })],
    ['frobnicate xy ✓', answered('frobnicate', { zeta: 'a longer text', alpha: 'xy', api_key: 'k' }, {})],
    ['ticket 42 ✓ closed', answered('ticket', { id: 42 }, 'closed')],
    ['noop ✓ true', answered('noop', {}, true)],
    [
      'read x ✕ no such file',
      answered(
        'read',
        { path: 'x' },
        { error: { code: 'ENOENT', message: "ENOENT: no such file or directory, open 'x'" } },
      ),
    ],
    ['cat x ✕ no such file', answered('cat', { path: 'x' }, 'cat: x: No such file or directory')],
    [
      'py run.py ✕ KeyError: 3',
      answered('py', { file: 'run.py' }, 'Traceback (most recent call last):\n  File "run.py"\nKeyError: 3'),
    ],
    ['slow a ✕ timed out', answered('slow', { name: 'a' }, { timed_out: true, stdout: 'a\nb' })],
    // states
    [
      'Bash rm -rf / · waits for you',
      {
        type: 'tool-Bash',
        toolCallId: 'a',
        state: 'approval-requested',
        input: { command: 'rm -rf /' },
        approval: { id: 'x' },
      },
    ],
    [
      'Bash ls ✕ not allowed',
      {
        type: 'tool-Bash',
        toolCallId: 'a',
        state: 'output-denied',
        input: { command: 'ls' },
        approval: { id: 'x', approved: false },
      },
    ],
    ['Bash ls', { type: 'tool-Bash', toolCallId: 'a', state: 'input-available', input: { command: 'ls' } }],
    ['Bash', { type: 'tool-Bash', toolCallId: 'a', state: 'input-streaming', input: undefined }],
    // as providers write calls
    [
      'read_file a.ts',
      { type: 'function', function: { name: 'read_file', arguments: '{"path":"src/a.ts"}' } },
    ],
    ['read_file a.ts', { type: 'tool_use', id: 'a', name: 'read_file', input: { path: 'src/a.ts' } }],
    ['read_file a.ts', { type: 'function_call', name: 'read_file', arguments: '{"path":"src/a.ts"}' }],
  ])('is %j', (line, part) => {
    expect(lineOf(part)).toBe(line)
  })

  it('given a result that holds words of failure and is none, then it has not failed', () => {
    for (const [tool, output] of [
      ['Read', '     1\tthrow new Error("no")\n     2\t'],
      ['Bash', 'Tests: 0 failed, 12 passed'],
      ['Grep', 'src/a.ts:3: // errors are shown'],
      ['get', { errors: [], error: null, data: 1 }],
      ['get', { status: 200, body: 'x' }],
      ['shell', { exit_code: 0, stdout: 'Error: expected by the test' }],
    ] as const)
      expect(stepOf(answered(tool, {}, output)), JSON.stringify(output)).toMatchObject({ state: 'done' })
  })

  it('given text that hides, turns or fills the line, then it is one short line', () => {
    const nasty = fc.string({ unit: 'binary', maxLength: 3000 })
    const text = fc.oneof(
      nasty,
      fc.constant(`\u202egnp.exe\n${'x'.repeat(5000)}`),
      fc.constant(`a${'\u0301'.repeat(500)}`),
      fc.constant('<img src=x onerror=alert(1)>\r\n'.repeat(200)),
    )
    fc.assert(
      fc.property(text, text, text, fc.boolean(), (name, value, output, isRefused) => {
        const input = { path: value }
        const line = lineOf(isRefused ? refused(name, input, output) : answered(name, input, output))
        expect(line.length).toBeLessThan(700)
        expect(line.isWellFormed()).toBe(true)
        expect(line).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]|\p{M}{5}/u)
      }),
    )
  })

  it('given anything at all, never throws', () => {
    const part = fc.record({
      type: fc.constantFrom('dynamic-tool', 'tool-x', 'function'),
      toolName: fc.anything(),
      state: fc.constantFrom('output-available', 'output-error', 7),
      input: fc.anything(),
      output: fc.anything(),
      errorText: fc.anything(),
      approval: fc.anything(),
    })
    fc.assert(fc.property(fc.oneof(part, fc.anything()), (value) => typeof lineOf(value) === 'string'))
    fc.assert(fc.property(fc.anything(), (value) => Array.isArray(stepsIn(value))))
  })

  it('given an argument of megabytes, is read in no time', () => {
    const huge = 'a b '.repeat(2_000_000)
    const began = performance.now()
    lineOf(answered('Write', { content: huge, other: huge }, huge))
    expect(performance.now() - began).toBeLessThan(500)
  })
})

describe('several steps on one line', () => {
  const step = (tool: string, fails = false) => {
    const found = stepOf(fails ? refused(tool, {}, 'no') : answered(tool, {}, ''))
    if (!found) throw new Error('no step')
    return found
  }
  const times = (count: number, tool: string) => Array.from({ length: count }, () => step(tool))

  it.each([
    ['8 edits, 1 failed', [...times(4, 'Edit'), ...times(3, 'apply_patch'), step('MultiEdit', true)]],
    ['3 commands', times(3, 'Bash')],
    ['2 reads', [step('Read'), step('read_file')]],
    ['12 steps, 2 failed', [...times(10, 'Read'), step('Edit', true), step('Bash', true)]],
    ['look_up × 4', times(4, 'look_up')],
    ['Edit ✕ no', [step('Edit', true)]],
    ['', []],
  ])('are %j', (line, steps) => {
    expect(stepsLine(steps)).toBe(line)
  })

  it('given the lines of messages, sums them as if their steps were in one', () => {
    const tool = fc.constantFrom('Edit', 'Bash', 'read_file', 'look_up', 'mcp__db__query')
    const steps = fc.array(
      fc.tuple(tool, fc.boolean()).map(([name, fails]) => step(name, fails)),
      { minLength: 1, maxLength: 6 },
    )
    fc.assert(
      fc.property(fc.array(steps, { minLength: 2, maxLength: 6 }), (messages) => {
        const failures = (line: string) => / (\d+) failed/.exec(line)?.[1] ?? '0'
        const [sum, whole] = [sumOfLines(messages.map(stepsLine)), stepsLine(messages.flat())]
        expect(failures(sum)).toBe(failures(whole))
        expect(/\d+/.exec(sum)?.[0]).toBe(/\d+/.exec(whole)?.[0])
      }),
    )
    expect(sumOfLines(['3 edits, 1 failed', 'Edit a.ts ✕ locked', 'apply_patch b.ts ✓'])).toBe(
      '5 edits, 2 failed',
    )
    expect(sumOfLines(['2 reads', 'Bash ls ✓'])).toBe('3 steps')
    expect(sumOfLines(['look_up × 2', 'look_up a ✓'])).toBe('look_up × 3')
  })
})

describe('a command whose exit code is an answer', () => {
  const bash = (command: string, text: string) => refused('Bash', { command }, text)
  it.each([
    ['✓ no match', bash('grep -rn foo src', 'Exit code 1')],
    ['✓ no match', bash('cd src && rg "a && b|c"', 'Exit code 1')],
    ['✓ no match', bash('cat a.log | /usr/bin/grep -v x', 'Exit code 1')],
    ['✓ no match', bash('LC_ALL=C git grep foo', 'Exit code 1')],
    ['✓ differs', bash('diff a b', 'Exit code 1\n1c1\n< Error: old\n---\n> Error: new')],
    ['✓ differs', bash('git diff --exit-code', 'Exit code 1\n-Error: a')],
    ['✓ no', bash('test -e gone.txt', 'Exit code 1')],
    ['✓ no', bash('[ -d node_modules ]', 'Exit code 1')],
    ['✓ not found', bash('npm -v; which bun', 'Exit code 1\n11.0.0')],
    ['✓ no match', answered('shell', { command: ['bash', '-lc', 'grep x a'] }, { output: '', exit_code: 1 })],
    [
      '✓ no match',
      answered('exec', 'text(await tools.exec_command({"cmd":"grep x a"}))', '{"exit_code":1,"output":""}'),
    ],
    [
      '✓ no match',
      answered(
        'run_shell_command',
        { command: 'grep x a' },
        'Command: grep x a\nOutput: (empty)\nExit Code: 1',
      ),
    ],
    ['✕ exit 2', bash('grep foo gone.txt', 'Exit code 2\ngrep: gone.txt: No such file or directory')],
    ['✕ exit 1', bash('cd gone && grep foo a', 'Exit code 1\nbash: cd: gone: No such file or directory')],
    ['✕ exit 1', bash('grep foo a && npm test', 'Exit code 1')],
    ['✕ exit 1', bash('echo "grep foo"; false', 'Exit code 1')],
    ['✕ exit 1', bash('npm run diff', 'Exit code 1')],
  ])('ends with %s', (ending, part) => {
    expect(lineOf(part)).toMatch(new RegExp(`${ending}$`))
  })
})
