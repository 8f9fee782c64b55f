import { chmodSync, closeSync, lstatSync, mkdirSync, openSync, readdirSync } from 'node:fs'
import path from 'node:path'

const FOLDER = 0o700
const FILE = 0o600

/** Makes a folder that only its owner can enter, or closes one that others can. Does nothing more on Windows. */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: FOLDER })
  closeToOthers(folder, FOLDER)
}

/** Has a file be there that only its owner can read; what it holds stays. */
export function makePrivateFile(file: string): void {
  closeSync(openSync(file, 'a', FILE))
  closeToOthers(file, FILE)
}

/** Closes everything in a folder to others, however deep. Follows no links. */
export function closeFolderToOthers(folder: string): void {
  closeToOthers(folder, FOLDER)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const at = path.join(folder, entry.name)
    if (entry.isDirectory()) closeFolderToOthers(at)
    else if (entry.isFile()) closeToOthers(at, FILE)
  }
}

function closeToOthers(at: string, mode: number): void {
  if (process.platform === 'win32' || (lstatSync(at).mode & 0o077) === 0) return
  try {
    chmodSync(at, mode)
  } catch (error) {
    // a folder that belongs to another user, or a file system without modes: its owner decides
    if (!(error instanceof Error && 'code' in error && leaves.has(error.code))) throw error
  }
}

const leaves: ReadonlySet<unknown> = new Set(['EPERM', 'EROFS', 'ENOTSUP'])
