// Runs a program of this folder, or one at its path in the package: `node lib/runtime/cli/run.mjs db-check --chat ID` runs `db-check.ts`.
import { runBundled } from './bundled.mjs'

const [name] = process.argv.splice(2, 1)
await runBundled(name.includes('/') ? name : `lib/runtime/cli/${name}.ts`)
