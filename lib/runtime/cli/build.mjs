// A step of `npm run build`: makes JavaScript of the server, the commands and the reader of files, which production runs without a
// compiler, and the folder that a new embedded database begins with.
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundle } from './bundle.mjs'
import { built, builtState, stateOfSources } from './bundled.mjs'

const folder = 'lib/runtime/cli'
const commands = readdirSync(folder).filter(
  (file) => /(?<!\.test)\.ts$/.test(file) && file !== 'run-command.ts',
)

for (const name of existsSync(built) ? readdirSync(built) : []) {
  // it says itself whether it is of today
  if (name !== 'blank-database') rmSync(path.join(built, name), { recursive: true, force: true })
}
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
await import(pathToFileURL(path.join(built, folder, 'make-blank.mjs')).href)
