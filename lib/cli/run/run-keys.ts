import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { ApiClient } from '../backs/api-client'
import { CommandError } from '../errors'
import { stateFolder } from '../refs/heads'

const keys = z.record(z.string(), z.string())
const made = z.looseObject({ key: z.string() })
const models = z.looseObject({})

type Env = Readonly<Record<string, string | undefined>>

/**
 * The API key of a client in a folder: `RAMIFY_API_KEY`, else a key made for the folder and kept, so that the
 * next run has the same name in the graph.
 *
 * @param asked.place the server, or the folder that it has open: the server's address may change each time
 * @throws CommandError when the server makes no key for this machine, and when it does not answer
 */
export async function keyFor(
  env: Env,
  { origin, place, cwd }: { origin: string; place: string; cwd: string },
): Promise<string> {
  const given = env.RAMIFY_API_KEY
  if (given) return given
  const file = path.join(stateFolder(env), 'run-keys.json')
  const named = `${place} ${cwd}`
  const kept = readKeys(file)[named]
  if (kept !== undefined && (await isValid(origin, kept))) return kept
  const name = path.basename(cwd) || cwd
  const { key } = await new ApiClient(origin).json('POST', '/api/keys', made, {
    body: { name: name.slice(0, 60) },
  })
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  // another run may have kept one meanwhile
  const all = { ...readKeys(file), [named]: key }
  writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 })
  return key
}

/** Tells whether a server still takes a key: the key may be revoked, or the server's folder another one. */
async function isValid(origin: string, key: string): Promise<boolean> {
  try {
    await new ApiClient(origin, key).json('GET', '/api/models', models)
    return true
  } catch (error) {
    if (error instanceof CommandError) return false
    throw error
  }
}

function readKeys(file: string): Record<string, string> {
  try {
    return keys.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    // nothing is kept that cannot be made again
    return {}
  }
}
