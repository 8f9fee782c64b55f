import 'server-only'
import { createWorker, getServices, sayingOf, telemetry } from '@/lib/runtime'

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
        sendTelemetryUntilTheEnd()
      })
    }
  } catch (error) {
    // thrown from here, it would leave a server up that answers 500 to everything
    console.error(`[ramify] cannot start: ${why(error)}`)
    process.exit(1)
  }
}

/** The framework ends the process when the last reply is stored, and tells nobody before. */
function sendTelemetryUntilTheEnd(): void {
  const sending = telemetry()
  if (!sending) return
  void sending.flush()
  setInterval(() => void sending.flush(), 250).unref()
}

/** A wrong setting in the words of who found it; of what a database says only what cannot hold a value. */
function why(error: unknown): string {
  if (error instanceof Error && 'query' in error) return sayingOf(error)
  return error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error)
}

/** When whoever read the log is gone, a line to it fails; the framework would log that, fail again, and never stop. */
function outliveLogReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
}
