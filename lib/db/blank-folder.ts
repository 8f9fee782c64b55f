import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { functionsFolder, migrationsFolder } from './apply-functions'
import { makePrivateFolder } from './private-folder'

// A migrated, empty folder of the embedded database in one file, which `npm run build` makes. To make such a folder anew takes ten seconds
// of a core, and to unpack one takes half a second. Folders that hold nothing are listed too: the database does not start without them.

/** The file of this build; where nothing is built there is none. */
export const blankFile = (): string =>
  path.join(/* turbopackIgnore: true */ process.cwd(), 'dist/blank-database')

/** Names and sizes of a folder's files in order; a folder has no size. */
type Listed = [name: string, size: number | null][]

const stateLength = 64

/** Names what a blank folder is made of: the migrations, the functions, and the versions of packages. */
export function blankState(): string {
  const hash = createHash('sha256').update(
    readFileSync(path.join(/* turbopackIgnore: true */ process.cwd(), 'package-lock.json')),
  )
  for (const folder of [migrationsFolder(), functionsFolder()]) {
    // without the notes the build would trace the whole project into each function of a host
    const names = readdirSync(/* turbopackIgnore: true */ folder, { recursive: true, encoding: 'utf8' })
    for (const name of names.filter((name) => name.endsWith('.sql')).sort()) {
      const at = path.join(/* turbopackIgnore: true */ folder, name)
      hash.update(path.basename(name)).update(readFileSync(/* turbopackIgnore: true */ at))
    }
  }
  return hash.digest('hex')
}

/** True for a file that was made of what is there now. */
export const isBlankCurrent = (file: string): boolean => packedOf(file) !== undefined

/** Packs the folder of a database that no process has open into a file. */
export function packBlank(folder: string, file: string): void {
  const listed: Listed = []
  const bytes: Buffer[] = []
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const at = path.join(entry.parentPath, entry.name)
    const content = entry.isDirectory() ? undefined : readFileSync(at)
    listed.push([path.relative(folder, at).replaceAll('\\', '/'), content?.length ?? null])
    if (content) bytes.push(content)
  }
  const whole = Buffer.concat([Buffer.from(`${JSON.stringify(listed)}\n`), ...bytes])
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 9,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: whole.length,
  }
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, Buffer.concat([Buffer.from(blankState()), brotliCompressSync(whole, { params })]))
}

/**
 * Unpacks a blank folder where a database is to begin, and does so whole or not at all, however this process ends. Does nothing where there is a
 * folder with something in it, or where the file was made of other migrations, functions or packages.
 */
export function unpackBlank(folder: string, file: string): void {
  if (existsSync(folder) && readdirSync(folder).length > 0) return
  const packed = packedOf(file)
  if (!packed) return
  const whole = brotliDecompressSync(packed)
  const begin = whole.indexOf('\n') + 1
  const making = `${folder}.making`
  rmSync(making, { recursive: true, force: true })
  makePrivateFolder(making)
  let from = begin
  for (const [name, size] of JSON.parse(whole.toString('utf8', 0, begin)) as Listed) {
    const at = path.join(making, name)
    if (size === null) mkdirSync(at, { mode: 0o700 })
    else writeFileSync(at, whole.subarray(from, from + size), { mode: 0o600 })
    from += size ?? 0
  }
  rmSync(folder, { recursive: true, force: true })
  renameSync(making, folder)
}

function packedOf(file: string): Buffer | undefined {
  if (!existsSync(/* turbopackIgnore: true */ file)) return undefined
  const bytes = readFileSync(/* turbopackIgnore: true */ file)
  return bytes.toString('latin1', 0, stateLength) === blankState() ? bytes.subarray(stateLength) : undefined
}
