import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { repoRoot } from '@/testing/runner/repo-root'

/** The TypeScript of these top folders: source text by path from the repository's root, with forward slashes. */
export function sources(...tops: string[]): Map<string, string> {
  const files = new Map<string, string>()
  for (const top of tops) {
    const folder = path.join(repoRoot, top)
    if (!existsSync(folder)) continue
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!/\.tsx?$/.test(name)) continue
      const file = path.join(top, name).split(path.sep).join('/')
      files.set(file, readFileSync(path.join(repoRoot, file), 'utf8'))
    }
  }
  return files
}
