import { createServices, createWorker } from '../services'
import { runCommand } from './run-command'

// `npm run worker`: writes replies to messages that were sent by command, and takes over those of ended processes, beside one or more servers.
runCommand(async () => {
  const services = await createServices(process.env)
  if (services.database.kind === 'pglite') {
    await services.database.close()
    throw new Error(
      'npm run worker needs DATABASE_URL: an embedded database belongs to one process, and the server answers itself.',
    )
  }
  const worker = createWorker(services).start()
  const { promise: told, resolve } = Promise.withResolvers<NodeJS.Signals>()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal))
  // the worker's own timers do not keep the process alive
  const alive = setInterval(() => undefined, 60_000)
  console.log('[ramify] worker: waiting for messages to answer')
  console.log(`[ramify] worker: ${await told}, finishing the replies it has begun`)
  await worker.stop()
  clearInterval(alive)
  await services.database.close()
})
