import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/**
 * Makes the declarations of entries and of all that these name, each at its own path below a folder. Every path in them is
 * one that TypeScript finds in a package, with `bundler` and with `nodenext`.
 *
 * @param {string[]} entries their paths in the package
 * @param {string} outdir
 * @param {(name: string) => string | undefined} outside the name of a package or folder that they do not hold
 * @returns {string[]} the names of what they import and do not hold
 */
export function declare(entries, outdir, outside) {
  const made = mkdtempSync(path.join(tmpdir(), 'ramify-types-'))
  try {
    emit(entries, made)
    return copyReached(
      entries.map((entry) => entry.replace(/\.ts$/, '.d.ts')),
      { made, outdir, outside },
    )
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
}

function emit(entries, outDir) {
  const config = path.join(outDir, 'tsconfig.json')
  const emitting = { noEmit: false, declaration: true, emitDeclarationOnly: true, incremental: false }
  const ambient = { types: ['node'], typeRoots: [path.resolve('node_modules/@types')], plugins: [] }
  writeFileSync(
    config,
    JSON.stringify({
      extends: path.resolve('tsconfig.json'),
      compilerOptions: { ...emitting, ...ambient, rootDir: path.resolve('.'), outDir },
      files: entries.map((entry) => path.resolve(entry)),
      include: [],
    }),
  )
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', config], { stdio: 'inherit' })
}

/** Copies declarations and those that they import, with the paths of a package. */
function copyReached(entries, { made, outdir, outside }) {
  const reached = new Set(entries)
  const imports = new Set()
  for (const file of reached) {
    const place = path.posix.dirname(file)
    const text = readFileSync(path.join(made, file), 'utf8')
    const named = text.replaceAll(/(\bfrom |\bimport\()(["'])([^"'\s]+)\2/g, (_, before, quote, name) => {
      const called = outside(name)
      if (called) {
        imports.add(called)
        return `${before}${quote}${called}${quote}`
      }
      const target = name.startsWith('@/') ? name.slice(2) : path.posix.join(place, name)
      const found = [`${target}.d.ts`, `${target}/index.d.ts`].find((one) => existsSync(path.join(made, one)))
      if (!found) throw new Error(`${file} imports ${name}, which has no declarations`)
      reached.add(found)
      const to = path.posix.relative(place, found).replace(/\.d\.ts$/, '.js')
      return `${before}${quote}${to.startsWith('.') ? to : `./${to}`}${quote}`
    })
    const at = path.join(outdir, file)
    mkdirSync(path.dirname(at), { recursive: true })
    writeFileSync(at, named)
  }
  return [...imports]
}
