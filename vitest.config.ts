import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const root = import.meta.dirname

const tests = ['testing', 'bench']
  .flatMap((room) => readdirSync(path.join(root, room), { recursive: true }).map((file) => `${room}/${file}`))
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /\.test\.tsx?$/.test(file) && !file.includes('/node_modules/'))
const isInt = (file: string) => /\.int\.test\./.test(file)
const isAlone = (file: string) =>
  /vi\.(mock|stubGlobal|getTimerCount)\(/.test(readFileSync(path.join(root, file), 'utf8'))

/** The files of a worker share its modules, which halves the time; a file that mocks modules, replaces
 * globals or counts timers is alone. */
function suites(name: string, include: string[], options: object) {
  const suite = (name: string, include: string[], isolate: boolean) => ({
    extends: true as const,
    test: { name, include, isolate, environment: 'node' as const, ...options },
  })
  return [
    suite(
      name,
      include.filter((file) => !isAlone(file)),
      false,
    ),
    suite(`${name}-alone`, include.filter(isAlone), true),
  ]
}

/** Without times of an earlier run Vitest begins with the largest files; random sequences are short files that take longest. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => moduleId.includes('-properties.')
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  root,
  resolve: {
    alias: {
      '@': root,
      'server-only': path.join(root, 'testing/runner/empty-module.ts'),
      // what it gives to the code of a request, tests give (testing/worlds/framework.ts)
      'next/headers': path.join(root, 'testing/machines/framework/headers.ts'),
      'next/server': path.join(root, 'testing/machines/framework/server.ts'),
    },
  },
  test: {
    // a bound for what never comes, also on a slow machine
    expect: { poll: { timeout: 10_000 } },
    // The default leaves one core to the watcher: of two cores that is too much.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    sequence: { sequencer: LongestFirst },
    projects: [
      ...suites(
        'unit',
        tests.filter((file) => !isInt(file)),
        // some read the whole tree: on a busy machine that takes longer than the five seconds of the default
        { testTimeout: 30_000 },
      ),
      ...suites('int', tests.filter(isInt), {
        globalSetup: 'testing/machines/int-global-setup.ts',
        testTimeout: 60_000,
        hookTimeout: 60_000,
      }),
    ],
  },
})
