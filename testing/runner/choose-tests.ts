import { existsSync, globSync, statSync } from 'node:fs'
import path from 'node:path'
import { repoRoot } from './repo-root'

/** The stage of a test file, by the end of its name; the first that fits. */
const suffixes: readonly (readonly [end: string, stage: string])[] = [
  ['.int.test.ts', 'int'],
  ['.component.test.tsx', 'component'],
  ['.test.ts', 'unit'],
  ['.test.tsx', 'unit'],
  ['.spec.ts', 'e2e'],
]

/** The stages to run: each with the test files that are wanted of it, or `'all'`. */
export type Choice = Map<string, 'all' | string[]>

/**
 * What the words after `npm test --` mean: names of stages, and paths of test files or folders with some. Throws a
 * sentence about a word that is neither.
 *
 * @example chooseTests(['lint', 'testing/unit/lib/graph'], ['lint', 'unit'])
 */
export function chooseTests(words: readonly string[], stages: readonly string[]): Choice {
  const choice: Choice = new Map()
  for (const word of words) {
    if (stages.includes(word)) {
      choice.set(word, 'all')
      continue
    }
    const files = testFilesAt(word)
    if (files.length === 0) {
      const kind = existsSync(path.resolve(repoRoot, word))
        ? 'has no test file'
        : 'is neither a stage nor a path'
      throw new Error(`“${word}” ${kind}. The stages are ${stages.join(', ')}.`)
    }
    for (const file of files) {
      const stage = stageOf(file) ?? ''
      const chosen = choice.get(stage) ?? []
      if (chosen !== 'all') choice.set(stage, [...new Set([...chosen, file])])
    }
  }
  return choice
}

function testFilesAt(word: string): string[] {
  const at = path.resolve(repoRoot, word)
  if (!existsSync(at)) return []
  if (!statSync(at).isDirectory()) return stageOf(at) ? [at] : []
  const isOther = (name: string) => name === 'node_modules' || name.startsWith('.')
  return globSync('**/*.{test,spec}.{ts,tsx}', { cwd: at, exclude: (name) => isOther(path.basename(name)) })
    .map((file) => path.join(at, file))
    .filter(stageOf)
    .sort()
}

const stageOf = (file: string) => suffixes.find(([end]) => file.endsWith(end))?.[1]
