import 'server-only'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { connection } from 'next/server'
import { z } from 'zod'
import { getServices } from '@/lib/runtime'
import { version } from '@/package.json'

const lockFile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      license: z.string().optional(),
      dev: z.boolean().optional(),
      optional: z.boolean().optional(),
    }),
  ),
})

/** Content of the page about this server. */
export interface About {
  version: string
  /** address of its source, as the operator gives it */
  source: string | null
  licences: Licence[]
}

export async function readAbout(): Promise<About> {
  await connection()
  const { env } = await getServices()
  return { version, source: env.RAMIFY_SOURCE_URL ?? null, licences: await readLicences() }
}

/** The packages under one licence, as `name version`. */
interface Licence {
  name: string
  packages: string[]
}

/** The licences of the packages that Ramify runs with, the most used first: read once from the lock file. */
function readLicences(): Promise<Licence[]> {
  licences ??= read()
  return licences
}
let licences: Promise<Licence[]> | undefined

async function read(): Promise<Licence[]> {
  const text = await readFile(path.join(process.cwd(), 'package-lock.json'), 'utf8')
  const { packages } = lockFile.parse(JSON.parse(text))
  const byLicence = new Map<string, Set<string>>()
  for (const [place, { version = '', license = 'Not stated', dev, optional }] of Object.entries(packages)) {
    if (place === '' || dev || optional) continue
    const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
    byLicence.set(license, (byLicence.get(license) ?? new Set()).add(`${name} ${version}`))
  }
  return [...byLicence]
    .map(([name, of]) => ({ name, packages: [...of].sort() }))
    .sort((one, other) => other.packages.length - one.packages.length || one.name.localeCompare(other.name))
}
