import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { repoRoot } from '@/testing/runner/repo-root'

const inRoot = readdirSync(repoRoot).filter((file) => file.endsWith('.md'))
const inDocs = readdirSync(path.join(repoRoot, 'docs')).filter((file) => file.endsWith('.md'))

/** The documents that people read, by their path from the repository's root. */
export const documents: ReadonlyMap<string, string> = new Map(
  [
    ...inRoot,
    ...inDocs.map((file) => `docs/${file}`),
    'lib/context/README.md',
    'testing/README.md',
    'bench/README.md',
  ].map((file) => [file, readFileSync(path.join(repoRoot, file), 'utf8')]),
)

/** A block of code between fences. */
export interface CodeBlock {
  file: string
  language: string
  code: string
}

/** The blocks of code of all documents. */
export const codeBlocks: readonly CodeBlock[] = [...documents].flatMap(([file, text]) =>
  [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = '', code = '']) => ({
    file,
    language,
    code,
  })),
)

/** The code of a document: its blocks, and what stands between backticks. */
export const codeOf = (text: string): string[] => [
  ...[...text.matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code),
  ...[...text.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code),
]
