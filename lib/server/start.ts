import 'server-only'
import { createWorker, getServices, listenForCommands, logError, sayingOf, telemetry } from '@/lib/runtime'

/** Opens the services of the server and starts its worker. Ends the process when they cannot be opened. */
export async function startServer(): Promise<void> {
  outliveLogReaders()
  try {
    const services = await getServices()
    const worker = services.env.RAMIFY_WORKER === 'on' ? createWorker(services).start() : undefined
    const { database, env } = services
    if (database.copyTo) await listenForCommands(database, env.RAMIFY_DATA_DIR, logError, ownAddress())
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => {
        // the worker would begin replies that end with the server
        void worker?.stop()
        services.ports.slots.close()
        // a server that stops waits for its connections, and a watched chat would keep its connection open
        void services.changes.close()
        sendTelemetryUntilTheEnd()
      })
    }
  } catch (error) {
    // after an error thrown from here, the server would stay up and answer 500 to everything
    console.error(`[ramify] cannot start: ${why(error)}`)
    process.exit(1)
  }
}

/** Where a browser on this machine reaches the server; undefined where another program listens for it. */
function ownAddress(): string | undefined {
  const { HOST = 'localhost', PORT } = process.env
  if (!PORT) return undefined
  const host = ['0.0.0.0', '::', '127.0.0.1'].includes(HOST) ? 'localhost' : HOST
  return `http://${host.includes(':') ? `[${host}]` : host}:${PORT}`
}

/** The framework ends the process without notice when the last reply is stored. */
function sendTelemetryUntilTheEnd(): void {
  const sending = telemetry()
  if (!sending) return
  void sending.flush()
  setInterval(() => void sending.flush(), 250).unref()
}

/** The message of a wrong setting; of a database's error only the part that cannot hold a value. */
function why(error: unknown): string {
  if (error instanceof Error && 'query' in error) return sayingOf(error)
  return error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error)
}

/** A write to a closed log fails; the framework would log that failure, fail again, and never stop. */
function outliveLogReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
}
