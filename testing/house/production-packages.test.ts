import { readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import path from 'node:path'
import { expect, it } from 'vitest'
import { repoRoot } from '@/testing/runner/repo-root'
import { readImports } from './read-imports'
import { sources } from './sources'

/** Steps of the build, and the compiler that they load. */
const building = new Set(['lib/runtime/cli/build.mjs', 'lib/runtime/cli/bundle.mjs'])

/** What production runs: all but tests. */
function productionFiles(): Map<string, string> {
  const files = sources('app', 'components', 'lib')
  for (const file of ['proxy.ts', 'instrumentation.ts', 'next.config.ts'])
    files.set(file, readFileSync(path.join(repoRoot, file), 'utf8'))
  for (const folder of ['lib/runtime/cli', 'lib/cli'])
    for (const name of readdirSync(path.join(repoRoot, folder)).filter((file) => file.endsWith('.mjs')))
      files.set(`${folder}/${name}`, readFileSync(path.join(repoRoot, folder, name), 'utf8'))
  for (const file of files.keys()) if (/\.test\.tsx?$/.test(file) || building.has(file)) files.delete(file)
  return files
}

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

it('given what production runs, when its imports are read, then each package is a dependency, and none one of development', () => {
  const { dependencies } = JSON.parse(readFileSync(path.join(repoRoot, 'package.json'), 'utf8'))
  // comes with next
  const known = new Set([...Object.keys(dependencies), ...builtinModules, '@next/env', 'server-only'])
  const wrong = [...productionFiles()].flatMap(([file, source]) =>
    readImports(file, source)
      .imports.filter(({ typeOnly, specifier }) => !typeOnly && !/^(node:|\.|@\/)/.test(specifier))
      .filter(({ specifier }) => !known.has(packageOf(specifier)))
      .map(({ specifier }) => `${file} imports ${specifier}, which npm prune --omit=dev removes`),
  )
  expect(wrong).toEqual([])
})

it('given the scripts that an operator runs, when they are read, then each is a program of Node, the framework or a dependency', () => {
  const { scripts, dependencies } = JSON.parse(readFileSync(path.join(repoRoot, 'package.json'), 'utf8'))
  const operator = [
    'postinstall',
    'start',
    'worker',
    'ramify',
    ...Object.keys(scripts).filter((name) => /^db:(?!generate)/.test(name)),
  ]
  for (const name of operator)
    expect([...Object.keys(dependencies)], name).toContain(scripts[name].split(' ')[0])
})
