// Runs a command of this folder: `node lib/runtime/cli/run.mjs db-check --chat ID` runs `db-check.ts`.
import { runBundled } from './bundled.mjs'

const [name] = process.argv.splice(2, 1)
await runBundled(`lib/runtime/cli/${name}.ts`)
