import { cpSync, lstatSync, mkdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { NextAdapter } from 'next'
import { repoRoot } from '@/testing/runner/repo-root'

type BuildResult = Parameters<NonNullable<NextAdapter['onBuildComplete']>>[0]

/** What the build says to its host (`adapter.mjs`). */
export type FunctionPlan = Pick<BuildResult, 'routing' | 'outputs' | 'buildId'>

export type Output =
  | FunctionPlan['outputs']['appPages'][number]
  | FunctionPlan['outputs']['appRoutes'][number]
  | NonNullable<FunctionPlan['outputs']['middleware']>

/** The functions of a build, each once: the data of a page comes from the page's own. */
export function functionsOf({ outputs }: FunctionPlan): Output[] {
  const { appPages, appRoutes, middleware } = outputs
  const own = [...appPages, ...appRoutes].filter(({ pathname }) => !pathname.endsWith('.rsc'))
  return middleware ? [...own, middleware] : own
}

/** Files of a function by their place in its folder. The lock of the build is gone when it has ended. */
function filesOf({ assets, filePath }: Output): [place: string, file: string][] {
  const entry: [string, string] = [path.relative(repoRoot, filePath), filePath]
  return [...Object.entries(assets), entry].filter(([place]) => place !== '.next-functions/lock')
}

/** Bytes of a function, unpacked. */
export const bytesOf = (output: Output): number =>
  filesOf(output).reduce((sum, [, file]) => sum + lstatSync(file).size, 0)

/** Places of a function's files that belong to none of these folders. */
export const strayFiles = (output: Output, folders: readonly string[]): string[] =>
  filesOf(output)
    .map(([place]) => place)
    .filter((place) => place.includes('/') && !folders.some((folder) => place.startsWith(`${folder}/`)))

/** Copies what a function is given, and nothing else, into a folder of its own, with its launcher. */
export function writeFunction(output: Output, folder: string): void {
  for (const [place, file] of filesOf(output)) {
    const copy = path.join(folder, place)
    mkdirSync(path.dirname(copy), { recursive: true })
    if (lstatSync(file).isSymbolicLink()) symlinkSync(readlinkSync(file), copy)
    else cpSync(file, copy)
  }
  cpSync(path.join(import.meta.dirname, 'launcher.cjs'), path.join(folder, 'launcher.cjs'))
  const distDir = path.join(folder, '.next-functions')
  const entry = path.join(folder, path.relative(repoRoot, output.filePath))
  const description = { entry, distDir, isMiddleware: output.pathname === '/_middleware' }
  writeFileSync(path.join(folder, 'function.json'), JSON.stringify(description))
}
