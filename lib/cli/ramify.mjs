#!/usr/bin/env node
// The command `ramify`. The TypeScript of Ramify needs Node 22 or newer: with an older one, the Node of the package runs it.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const own = at('../../node_modules/node/bin/node')

if (Number(process.versions.node.split('.')[0]) < 22 && existsSync(own)) {
  const child = spawn(own, [at('./ramify.mjs'), ...process.argv.slice(2)], { stdio: 'inherit' })
  // the terminal sends it to both
  process.on('SIGINT', () => undefined)
  child.on('exit', (code, signal) => (signal ? process.kill(process.pid, signal) : process.exit(code ?? 1)))
} else {
  const { register } = await import('tsx/esm/api')
  register({ tsconfig: at('../../tsconfig.json') })
  await import('./start.ts')
}
