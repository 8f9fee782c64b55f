import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { createModels } from '@/lib/ai'
import { commands } from '@/lib/cli/commands'
import { readEnv } from '@/lib/runtime/env'
import { quotas } from '@/lib/runtime/limits'
import { apiDocument } from '@/lib/server/api/openapi'
import { repoRoot } from '@/testing/runner/repo-root'
import packageJson from '../../package.json'
import { codeBlocks, codeOf, documents } from './documents'
import { sources } from './sources'

const example = readFileSync(path.join(repoRoot, '.env.example'), 'utf8')
/** The texts that tell an operator of settings. */
const forOperators = [...documents]
  .filter(([file]) => file.startsWith('docs/') || file === 'README.md' || file === 'SECURITY.md')
  .map(([, text]) => text)
  .concat(example)
  .join('\n')
const product = [...sources('lib', 'app')].filter(([file]) => !/\.test\.tsx?$/.test(file))
/** RAMIFY_KEY is a name of the examples of the API page, and no setting. */
const settingsOf = (text: string) =>
  new Set((text.match(/\bRAMIFY_[A-Z_]*[A-Z]\b/g) ?? []).filter((name) => name !== 'RAMIFY_KEY'))

describe('settings', () => {
  test('each setting of Ramify that the code reads is in the documents, and each in the documents is read', () => {
    const read = settingsOf(product.map(([, source]) => source).join('\n'))
    expect([...settingsOf(forOperators)].sort()).toEqual([...read].sort())
  })

  test('each setting that is checked at the start is in the documents', () => {
    const schema = readFileSync(path.join(repoRoot, 'lib/runtime/env.ts'), 'utf8')
    const checked = [...schema.matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(([, name = '']) => name)
    expect(checked.length).toBeGreaterThan(30)
    expect(checked.filter((name) => !forOperators.includes(`\`${name}`))).toEqual([])
  })

  test('each quota has the default that the documents say', () => {
    const units: Record<string, number> = { million: 1e6, GB: 1e9 }
    const said = [...forOperators.matchAll(/^\| `(RAMIFY_QUOTA_\w+)` \| ([\d,]+) ?(million|GB)? \|/gm)].map(
      ([, name = '', amount = '', unit = '']) => [
        name,
        Number(amount.replaceAll(',', '')) * (units[unit] ?? 1),
      ],
    )
    expect(Object.fromEntries(said)).toMatchObject(Object.fromEntries(Object.values(quotas)))
  })

  test('each variable of the example file is read, and its value is accepted', () => {
    const lines = [...example.matchAll(/^#([A-Z][A-Z_]+)=(.*)$/gm)]
    expect(lines.length).toBeGreaterThan(10)
    const all = product.map(([, source]) => source).join('\n')
    expect(lines.map(([, name = '']) => name).filter((name) => !all.includes(name))).toEqual([])
    const given = Object.fromEntries(lines.map(([, name, value]) => [name, value]))
    expect(() => readEnv(given)).not.toThrow()
    const keyed = { ...given, OPENAI_API_KEY: 'a key', OPENAI_COMPATIBLE_MODELS: 'a model' }
    expect(createModels(keyed).defaultId).toBe(given.RAMIFY_DEFAULT_MODEL)
  })

  test('the file of models that the documents show is accepted', () => {
    const [block] = codeBlocks.filter(({ language }) => language === 'json')
    const folder = mkdtempSync(path.join(tmpdir(), 'ramify-models-'))
    const file = path.join(folder, 'models.json')
    writeFileSync(file, block?.code ?? '')
    const models = createModels({ RAMIFY_MODELS_FILE: file, OPENAI_API_KEY: 'a key' })
    rmSync(folder, { recursive: true })
    expect(models.describe().map(({ label }) => label)).toContain('GPT-5.5 (ours)')
  })
})

describe('commands', () => {
  const code = [...documents].flatMap(([file, text]) => codeOf(text).map((line) => ({ file, line })))
  /** The names that a pattern finds in the code of all documents, each with its file. */
  const named = (pattern: RegExp) =>
    code.flatMap(({ file, line }) => [...line.matchAll(pattern)].map(([, name = '']) => ({ file, name })))

  test('each script of npm that a document names exists', () => {
    const scripts = named(/\bnpm (?:run (?:--silent )?)?(?!ci\b|i\b|install\b|prune\b|run\b)([a-z][\w:-]*)/g)
    expect(scripts.length).toBeGreaterThan(20)
    expect(scripts.filter(({ name }) => !(name in packageJson.scripts))).toEqual([])
  })

  test('each command of ramify that a document names exists', () => {
    const known = commands.map(({ name }) => name)
    const verbs = named(/(?:^|[;&|(] *|npx )ramify ([a-z][\w-]*)/gm)
    expect(verbs.length).toBeGreaterThan(10)
    expect(verbs.filter(({ name }) => !known.includes(name))).toEqual([])
  })

  test('each block of commands is a script that a shell can read', () => {
    for (const { file, code } of codeBlocks.filter(({ language }) => language === 'sh')) {
      expect(
        () => execFileSync('bash', ['-n'], { input: code, stdio: 'pipe' }),
        `${file}\n${code}`,
      ).not.toThrow()
    }
  })
})

test('each address that a document names with a method is one of the API, or of a route of its own', () => {
  const nameless = (address: string) => address.replaceAll(/\{\w+\}/g, '{}')
  const served = new Map(
    Object.entries(apiDocument.paths).flatMap(([address, methods]) => {
      const names = Object.keys(methods).map((method) => method.toUpperCase())
      const also = /^\/api\/(commands|threads|health)/.test(address) ? [address.slice(4)] : []
      return [address, ...also].map((one) => [nameless(one), names] as const)
    }),
  )
  const ofItsOwn = /^\/(mcp|s\/\{\}\/find|\.well-known\/[\w-]+)$/
  const named = [...documents].flatMap(([file, text]) =>
    [...text.matchAll(/`(GET|POST|PUT|PATCH|DELETE) (\/[\w\-./{}]*)/g)].map(
      ([, method = '', address = '']) => ({
        file,
        method,
        address: nameless(address),
      }),
    ),
  )
  expect(named.length).toBeGreaterThan(40)
  const isServed = ({ method, address }: { method: string; address: string }) =>
    served.get(address)?.includes(method) || ofItsOwn.test(address)
  expect(named.filter((one) => !isServed(one))).toEqual([])
})

test('each link of a document leads to a file, and to a heading of it', () => {
  const anchorsOf = (text: string) =>
    [...text.matchAll(/^#{1,4} (.*)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
        .trim()
        .replaceAll(/\s+/g, '-'),
    )
  const broken = [...documents].flatMap(([file, text]) =>
    [...text.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/^(https?|mailto):/.test(link))
      .filter((link) => {
        const [to = '', anchor] = link.split('#')
        const target = to === '' ? file : path.join(path.dirname(file), to)
        if (!existsSync(path.join(repoRoot, target))) return true
        return anchor !== undefined && !anchorsOf(documents.get(target) ?? '').includes(anchor)
      })
      .map((link) => `${file}: ${link}`),
  )
  expect(broken).toEqual([])
})
