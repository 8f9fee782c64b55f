import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { repoRoot } from '@/testing/runner/repo-root'
import { runCommand } from '@/testing/runner/run-command'
import { startEdge } from './edge'
import { type FunctionPlan, functionsOf, writeFunction } from './function-plan'
import { FunctionProcess } from './function-process'

/** Builds the app for a host of functions, beside the build that is there. */
export async function buildFunctions(): Promise<FunctionPlan> {
  const adapter = path.join(import.meta.dirname, 'adapter.mjs')
  const plan = path.join(repoRoot, '.next-functions/functions.json')
  const env: NodeJS.ProcessEnv = { ...process.env, NODE_ENV: 'production', NEXT_ADAPTER_PATH: adapter }
  if (!process.env.FUNCTIONS_BUILT && !(await runCommand(['next', 'build'], env))) {
    throw new Error('The build has failed')
  }
  return JSON.parse(readFileSync(plan, 'utf8'))
}

/**
 * The app as a host of functions runs it: each function alone in processes of its own, each of which has the files that the
 * build says it needs, answers one request at a time, and sleeps from its answer to its next request.
 *
 * @param env the settings of the app
 */
export async function deploy(plan: FunctionPlan, env: Readonly<Record<string, string>>) {
  const root = mkdtempSync(path.join(tmpdir(), 'ramify-functions-'))
  const byPath = new Map(functionsOf(plan).map((output) => [output.pathname, output]))
  const folders = new Map<string, string>()
  const processes: { name: string; process: FunctionProcess }[] = []

  function folderOf(name: string): string {
    const known = folders.get(name)
    if (known) return known
    const output = byPath.get(name)
    if (!output) throw new Error(`No function is called ${name}`)
    const folder = path.join(root, `function-${folders.size}`)
    writeFunction(output, folder)
    folders.set(name, folder)
    return folder
  }

  /** A process that sleeps, or a new one. */
  function processOf(name: string): FunctionProcess {
    const sleeping = processes.find((one) => one.name === name && one.process.isIdle && one.process.isRunning)
    if (sleeping) return sleeping.process
    const scratch = path.join(root, `scratch-${processes.length}`)
    const process = new FunctionProcess(folderOf(name), scratch, env)
    processes.push({ name, process })
    return process
  }

  const edge = await startEdge(plan, (output, request, body) =>
    processOf(output.replace(/\.rsc$/, '')).ask(request, body),
  )
  return {
    url: edge.url,
    /** every process that was started, by its function */
    processes: processes as readonly { name: string; process: FunctionProcess }[],
    /** Ends every process, as a host does whenever it likes. */
    async endAll(): Promise<void> {
      await Promise.all(processes.map(({ process }) => process.kill()))
    },
    async close(): Promise<void> {
      await edge.close()
      await Promise.all(processes.map(({ process }) => process.kill()))
      rmSync(root, { recursive: true, force: true })
    },
  }
}
