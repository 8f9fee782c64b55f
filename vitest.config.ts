import { availableParallelism } from 'node:os'
import path from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'

const root = import.meta.dirname
const exclude = [...configDefaults.exclude, '.next/**', 'bench/peers/**', 'e2e/**']

export default defineConfig({
  root,
  resolve: {
    alias: {
      '@': root,
      'server-only': path.join(root, 'testing/runner/empty-module.ts'),
    },
  },
  test: {
    // The default leaves a core to the watcher: on two cores that would be one worker.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          environment: 'node',
          include: ['**/*.test.{ts,tsx}'],
          exclude: [...exclude, '**/*.int.test.*'],
        },
      },
      {
        extends: true,
        test: {
          name: 'int',
          environment: 'node',
          include: ['**/*.int.test.ts'],
          exclude,
          globalSetup: 'testing/machines/int-global-setup.ts',
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
