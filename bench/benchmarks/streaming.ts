import { startPostgres } from '@/testing/machines/postgres-cluster'
import { isBuilt } from '../fixtures/streaming/app-server'
import { openStage, type Stage } from '../fixtures/streaming/stage'
import type { Result } from '../result'
import { firstWord } from './streaming/first-word'
import { manyReplies } from './streaming/many-replies'
import { unreadReplies } from './streaming/unread-replies'

/**
 * What the app adds to a model's reply while it is written: time, and memory, and connections. Runs the production build
 * as it is used, with whatever it does besides.
 */
export async function streaming(options: { quick: boolean }): Promise<Result[]> {
  if (!isBuilt()) {
    console.log('streaming: skipped, there is no production build. npm run build')
    return []
  }
  const server = await startPostgres({ durable: true })
  const served = 'skipped' in server ? [] : await onStage({ ...options, postgresUrl: server.url }, all)
  if ('stop' in server) await server.stop()
  const embedded = await onStage(options, firstWord)
  return [...served, ...embedded.map((result) => ({ ...result, bench: `pglite ${result.bench}` }))]
}

const all = async (stage: Stage): Promise<Result[]> => [
  ...(await firstWord(stage)),
  ...(await manyReplies(stage)),
  ...(await unreadReplies(stage)),
]

async function onStage(
  options: { quick: boolean; postgresUrl?: string },
  measure: (stage: Stage) => Promise<Result[]>,
): Promise<Result[]> {
  const stage = await openStage(options)
  try {
    return await measure(stage)
  } catch (error) {
    console.error(`The server said:\n${stage.app.log().slice(-4000)}`)
    throw error
  } finally {
    await stage.close()
  }
}
