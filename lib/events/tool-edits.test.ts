import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editsOf } from './tool-edits'

/** Files with how they change, and the lines before and after of each place. */
const shape = (input: unknown) =>
  editsOf(input).map(({ path, change, pieces }) => [
    `${path} ${change}`,
    ...pieces.map(({ before, after }) => `${before} → ${after}`),
  ])
const patch = [
  '*** Begin Patch',
  '*** Update File: src/a.ts',
  '@@ function a() {',
  ' one',
  '-two',
  '+zwei',
  '@@',
  '-three',
  '*** Add File: b.ts',
  '+new',
  '*** Delete File: c.ts',
  '*** End Patch',
].join('\n')
const patched = [
  ['src/a.ts edited', 'one\ntwo → one\nzwei', 'three → '],
  ['b.ts written', ' → new'],
  ['c.ts deleted'],
]

describe('what a call of a tool changes in files', () => {
  it.each([
    [
      'Edit of Claude Code',
      { file_path: 'a.ts', old_string: 'x', new_string: 'y', replace_all: false },
      [['a.ts edited', 'x → y']],
    ],
    [
      'edit of opencode, as JSON',
      '{"filePath":"a.ts","oldString":"x","newString":""}',
      [['a.ts edited', 'x → ']],
    ],
    [
      'MultiEdit of Continue',
      {
        file_path: 'a.ts',
        edits: [
          { old_string: 'x', new_string: 'y' },
          { old_string: 'v', new_string: 'w' },
        ],
      },
      [['a.ts edited', 'x → y', 'v → w']],
    ],
    ['edit of pi', { path: 'a.ts', edits: [{ oldText: 'x', newText: 'y' }] }, [['a.ts edited', 'x → y']]],
    [
      'edits of several files',
      {
        edits: [
          { path: 'a', old: 'x', new: 'y' },
          { path: 'b', old: 'v', new: 'w' },
          { path: 'a', old: '1', new: '2' },
        ],
      },
      [
        ['a edited', 'x → y', '1 → 2'],
        ['b edited', 'v → w'],
      ],
    ],
    [
      'str_replace',
      { command: 'str_replace', path: 'a.ts', old_str: 'x', new_str: 'y' },
      [['a.ts edited', 'x → y']],
    ],
    [
      'str_replace that removes',
      { command: 'str_replace', path: 'a.ts', old_str: 'x' },
      [['a.ts edited', 'x → ']],
    ],
    [
      'insert',
      { command: 'insert', path: 'a.ts', insert_line: 3, insert_text: 'y' },
      [['a.ts edited', ' → y']],
    ],
    ['Write', { file_path: 'a.ts', content: 'y' }, [['a.ts written', ' → y']]],
    ['NotebookEdit', { notebook_path: 'a.ipynb', new_source: 'y' }, [['a.ipynb written', ' → y']]],
    ['apply_patch, as a text', patch, patched],
    ['apply_patch of opencode', { patchText: patch }, patched],
    ['apply_patch by a shell', { command: ['apply_patch', patch] }, patched],
    ['apply_patch in a command', { cmd: `apply_patch <<'EOF'\n${patch}\nEOF` }, patched],
    ['apply_patch in a script of Codex', `await tools.apply_patch(${JSON.stringify(patch)})`, patched],
    [
      'a patch of git',
      'diff --git a/src/a.ts b/src/a.ts\nindex 1..2 100644\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,2 +1,2 @@\n one\n--- two\n+++ zwei\ndiff --git a/b b/b\n--- /dev/null\n+++ b/b\n@@ -0,0 +1 @@\n+new\n',
      [
        ['src/a.ts edited', 'one\n-- two → one\n++ zwei'],
        ['b written', ' → new'],
      ],
    ],
    [
      'a block of Cline',
      { path: 'a.ts', diff: '------- SEARCH\nx\n=======\ny\n+++++++ REPLACE' },
      [[' edited', 'x\n → y\n']],
    ],
    ['Read', { file_path: 'a.ts' }, []],
    ['Bash', { command: 'npm test' }, []],
    ['a message', { to: 'ada', content: 'Hello' }, []],
    ['a search', { query: 'x', path: 'src' }, []],
  ])('%s', (_, input, files) => {
    expect(shape(input)).toEqual(files)
  })

  it('given anything at all, never throws', () => {
    const texts = fc.constantFrom('*** Begin Patch\n*** Update File: a', '--- a\n+++ b\n@@ ', '@@', patch)
    const input = fc.oneof(
      fc.anything(),
      texts,
      fc.dictionary(fc.constantFrom('edits', 'old_string', 'path'), fc.oneof(fc.anything(), texts)),
    )
    fc.assert(fc.property(input, (value) => Array.isArray(editsOf(value))))
  })
})
