import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { transformAsync } from '@babel/core'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig, type Plugin } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { browserArguments, findBrowser } from './testing/machines/find-browser.ts'
import type { PageServer } from './testing/page/serve-pages.ts'

const root = import.meta.dirname

/** A test stands beside its subject; those from before are in `testing`. */
const tests = ['app', 'components', 'lib', 'testing', 'bench']
  .flatMap((room) => readdirSync(path.join(root, room), { recursive: true }).map((file) => `${room}/${file}`))
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /(?<!\.component)\.test\.tsx?$/.test(file) && !file.includes('/node_modules/'))
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

const shared = globalThis as typeof globalThis & { __ramifyPages?: PageServer }

/** Gives requests of a page under test to the server behind it (testing/page/global-setup.ts). */
const pageRoutes: Plugin = {
  name: 'page-routes',
  configureServer({ middlewares }) {
    middlewares.use((request, response, next) => {
      const asked = shared.__ramifyPages?.handle(request, response) ?? Promise.resolve(false)
      asked.then((answered) => answered || next(), next)
    })
  },
}

/** Compiles components as the build does: without it their effects run more often. What it made of a text is kept. */
const reactCompiler: Plugin = {
  name: 'react-compiler',
  enforce: 'pre',
  transform: {
    filter: { id: /\/components\/[^?]*(?<!\.test)\.tsx?$/ },
    async handler(code, filename) {
      const name = createHash('sha256').update(filename).update(code).digest('hex')
      const kept = path.join(root, 'node_modules/.cache/react-compiler', `${name}.json`)
      if (existsSync(kept)) return JSON.parse(readFileSync(kept, 'utf8'))
      const compiled = await transformAsync(code, {
        filename,
        configFile: false,
        babelrc: false,
        // lines are not retained: a line that begins within a text would take its space away
        sourceMaps: true,
        parserOpts: { plugins: ['typescript', 'jsx'] },
        plugins: ['babel-plugin-react-compiler'],
      })
      mkdirSync(path.dirname(kept), { recursive: true })
      const made = { code: compiled?.code ?? code, map: compiled?.map ?? null }
      writeFileSync(kept, JSON.stringify(made))
      return made
    },
  },
}

/** What a person's browser runs: React as it is built takes a third of the time that it takes in development. */
const asBuilt = { 'process.env.NODE_ENV': '"production"' }

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
      {
        extends: true,
        plugins: [reactCompiler, pageRoutes],
        define: {
          ...asBuilt,
          'import.meta.env.RAMIFY_TEST_LONG': JSON.stringify(process.env.RAMIFY_TEST_LONG ?? ''),
        },
        oxc: { jsx: { development: false } },
        // found before the first test: one that is found later loads its page anew
        optimizeDeps: {
          rolldownOptions: { transform: { define: asBuilt } },
          entries: ['components/**/*.tsx', 'testing/page/*.tsx'],
          include: [
            'react/compiler-runtime',
            'react/jsx-runtime',
            'react-dom/client',
            'vitest-browser-react',
            'axe-core',
          ],
        },
        resolve: {
          alias: {
            'next/navigation': path.join(root, 'testing/machines/framework/navigation.ts'),
            'next/link': path.join(root, 'testing/machines/framework/link.tsx'),
          },
        },
        test: {
          name: 'component',
          // a page keeps its code from file to file: to load it takes longer than a test
          isolate: false,
          include: ['components/**/*.component.test.tsx'],
          globalSetup: 'testing/page/global-setup.ts',
          setupFiles: 'testing/page/setup.ts',
          // The first test waits for the code of the pages, and what is waited for comes late on a machine that does more.
          testTimeout: 120_000,
          expect: { poll: { timeout: 20_000, interval: 15 } },
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            // names are found by a part of them, as in the end-to-end tests
            locators: { exact: false, errorFormat: 'html' },
            instances: [{ browser: 'chromium' }],
            provider: playwright({
              // else what cannot be clicked is waited for until nobody waits any more
              actionTimeout: 15_000,
              launchOptions: {
                executablePath: findBrowser() ?? undefined,
                args: browserArguments,
              },
            }),
          },
        },
      },
    ],
  },
})
