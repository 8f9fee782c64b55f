import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/**
 * Makes the tarball of a package, as `npm pack` names it.
 *
 * @param {string} into the folder of the tarball
 * @param {(folder: string) => Promise<{ name: string, version: string }>} fill puts the files into the package, and returns its manifest
 */
export async function makeTarball(into, fill) {
  const staging = mkdtempSync(path.join(tmpdir(), 'ramify-pack-'))
  try {
    const folder = path.join(staging, 'package')
    mkdirSync(folder)
    const manifest = await fill(folder)
    writeManifest(folder, manifest)
    cpSync('LICENSE', path.join(folder, 'LICENSE'))
    const file = path.join(
      into,
      `${manifest.name.replace('@', '').replace('/', '-')}-${manifest.version}.tgz`,
    )
    execFileSync('tar', ['-czf', path.resolve(file), '-C', staging, 'package'])
    console.log(`${file}: ${(statSync(file).size / 1e6).toPrecision(2)} MB`)
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

export function writeManifest(folder, manifest) {
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}
