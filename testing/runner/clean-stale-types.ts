import { rmSync } from 'node:fs'
import path from 'node:path'
import { repoRoot } from './repo-root'

/** Next leaves the types of deleted routes behind, and they break `tsc` until they are removed. */
for (const folder of ['.next/types', '.next/dev/types']) {
  rmSync(path.join(repoRoot, folder), { recursive: true, force: true })
}
