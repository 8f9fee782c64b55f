import 'server-only'
import { createWorker, getServices } from '@/lib/runtime'

/** Opens what the server needs and begins to look after replies that nobody writes. Ends the process when that cannot be. */
export async function startServer(): Promise<void> {
  outliveLogReaders()
  try {
    const services = await getServices()
    const worker = services.env.RAMIFY_WORKER === 'on' ? createWorker(services).start() : undefined
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => {
        // it would begin replies that end with the server
        void worker?.stop()
        services.ports.slots.close()
        // a server that is to end waits for its connections, and those that watch a chat would stay
        void services.changes.close()
      })
    }
  } catch (error) {
    // thrown from here, it would leave a server up that answers 500 to everything
    console.error(`[ramify] cannot start: ${error instanceof Error ? error.message : String(error)}`)
    process.exit(1)
  }
}

/** When whoever read the log is gone, a line to it fails; the framework would log that, fail again, and never stop. */
function outliveLogReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
}
