// The adapter of the build that `deployment.ts` runs: it writes down what a host of functions is given.

import { writeFile } from 'node:fs/promises'
import path from 'node:path'

/** @type {import('next').NextAdapter} */
const adapter = {
  name: 'functions',
  // beside the build that other tests use; the types of its routes are not to be added to the settings of TypeScript
  modifyConfig: (config) => ({
    ...config,
    distDir: '.next-functions',
    typescript: { ...config.typescript, ignoreBuildErrors: true },
    experimental: { ...config.experimental, strictRouteTypes: true },
  }),
  async onBuildComplete({ routing, outputs, buildId, distDir }) {
    const withoutHashes = (key, value) => (key === 'assetsHashes' ? undefined : value)
    const plan = JSON.stringify({ routing, outputs, buildId }, withoutHashes)
    await writeFile(path.join(distDir, 'functions.json'), plan)
  },
}

export default adapter
