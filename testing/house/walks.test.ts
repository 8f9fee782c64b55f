import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { repoRoot } from '@/testing/runner/repo-root'

const page = readFileSync(path.join(repoRoot, 'CONTRIBUTING.md'), 'utf8')

function filesOf(walk: string): string[] {
  const [, section = ''] = page.split(`### ${walk}\n`)
  const [text = ''] = section.split(/^#/m)
  return [...text.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file = '']) => file)
}

describe.each([
  ['A turn', 60],
  ['A click', 25],
  ['A command', 14],
])('%s', (walk, most) => {
  const files = filesOf(walk)

  test('passes files that exist, each once', () => {
    expect(files.filter((file) => !existsSync(path.join(repoRoot, file)))).toEqual([])
    expect(new Set(files).size).toBe(files.length)
  })

  test(`passes ${most} files at most`, () => {
    expect(files.length).toBeGreaterThan(5)
    expect(files.length).toBeLessThanOrEqual(most)
  })
})
