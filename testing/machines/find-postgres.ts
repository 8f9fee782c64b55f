import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'

/** The folder of `initdb` and `postgres`, newest version first, or null. Distributions keep them off the PATH. */
export function findPostgres(): string | null {
  for (const folder of candidates()) if (holdsServer(folder)) return folder
  return null
}

function holdsServer(folder: string): boolean {
  return existsSync(path.join(folder, 'initdb')) && existsSync(path.join(folder, 'postgres'))
}

function* candidates(): Generator<string> {
  const config = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' })
  if (config.status === 0) yield config.stdout.trim()
  yield* versions('/usr/lib/postgresql', (version) => /^[\d.]+$/.test(version))
  yield* versions('/opt/homebrew/opt', (name) => name.startsWith('postgresql'))
  yield* versions('/usr/local/opt', (name) => name.startsWith('postgresql'))
  yield* versions('/Applications/Postgres.app/Contents/Versions', () => true)
  yield* (process.env.PATH ?? '').split(path.delimiter).filter(Boolean)
}

/** `bin` folders below a folder with one entry per version, newest first. */
function versions(parent: string, accept: (name: string) => boolean): string[] {
  if (!existsSync(parent)) return []
  return readdirSync(parent)
    .filter(accept)
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    .map((name) => path.join(parent, name, 'bin'))
}
