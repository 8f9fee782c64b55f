// A step of `npm run build`: makes JavaScript of the server, the commands and the reader of files, which production runs without a
// compiler.
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { bundle } from './bundle.mjs'
import { built, builtState, stateOfSources } from './bundled.mjs'

const folder = 'lib/runtime/cli'
const commands = readdirSync(folder).filter(
  (file) => /(?<!\.test)\.ts$/.test(file) && file !== 'run-command.ts',
)

rmSync(built, { recursive: true, force: true })
await bundle(
  [
    ...commands.map((file) => path.join(folder, file)),
    'lib/cli/start.ts',
    'lib/conversations/files/text/reader.ts',
  ],
  built,
  { moves: true },
)
writeFileSync(builtState, stateOfSources())
