#!/usr/bin/env node
// The command `ramify`. It needs the SQLite of Node 22.13: with an older one, the Node of the package runs it.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const own = at('../../node_modules/node/bin/node')

const [major, minor] = process.versions.node.split('.').map(Number)

const isOld = major < 22 || (major === 22 && minor < 13)

if (isOld && existsSync(own)) {
  const child = spawn(own, [at('./ramify.mjs'), ...process.argv.slice(2)], { stdio: 'inherit' })
  // the terminal sends it to both; the others are for this process alone
  process.on('SIGINT', () => undefined)
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGQUIT']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code ?? 1)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
} else if (isOld) {
  console.error(
    `Ramify needs Node 22.13 or newer, and this is ${process.version}: https://nodejs.org has the newest.`,
  )
  process.exitCode = 1
} else {
  // V8 compiles the embedded server's hottest code once more, to run it faster: two seconds of work, for
  // which the process waits before it ends. An import alone takes longer than that.
  if (!process.argv.includes('import')) {
    setFlagsFromString('--no-wasm-tier-up')
    setFlagsFromString('--no-wasm-dynamic-tiering')
  }
  const { runBundled } = await import('../runtime/cli/bundled.mjs')
  await runBundled('lib/cli/start.ts')
}
