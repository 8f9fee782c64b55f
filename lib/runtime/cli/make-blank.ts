import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { blankFile, isBlankCurrent, openDatabase, packBlank } from '@/lib/db'

// A step of `npm run build`: makes the file that new folders of the embedded database begin with, unless it is there. On Postgres nothing
// reads it.

if (!isBlankCurrent(blankFile())) {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'ramify-blank-'))
  try {
    await (await openDatabase({ dataDir, brief: true })).close()
    packBlank(path.join(dataDir, 'pglite'), blankFile())
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}
