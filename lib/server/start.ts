import 'server-only'
import {
  createWorker,
  getServices,
  hasWorker,
  listenForCommands,
  logError,
  type Services,
  sayingOf,
  telemetry,
} from '@/lib/runtime'

/** Opens the services of the server and starts its worker. Ends the process when they cannot be opened. */
export async function startServer(): Promise<void> {
  outliveLogReaders()
  try {
    const services = await getServices()
    const worker = hasWorker(process.env) ? createWorker(services).start() : undefined
    const { database, env } = services
    await sayWhoComesIn(services)
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

/** Prints whether people sign in: `HOST` and the database decide it, and operators should not have to guess. */
async function sayWhoComesIn({ owner }: Pick<Services, 'owner'>): Promise<void> {
  if (await owner.isAlone()) {
    console.log(
      '[ramify] one owner, no sign-in: whoever opens this server on this machine meets the same chats (RAMIFY_PERSONAL=off ends it)',
    )
  } else if (owner.isPossible) {
    console.log('[ramify] people sign in here: this data folder has accounts')
  }
  const chats = await owner.leftBehind()
  if (chats === 0) return
  console.warn(
    `[ramify] ${chats === 1 ? 'one chat' : `${chats} chats`} of the owner of this machine cannot be reached here, because the owner has no account: stop the server, start it without HOST, BETTER_AUTH_URL, RAMIFY_TRUSTED_PROXIES, RAMIFY_GUESTS and RAMIFY_PERSONAL, sign up in its settings, and start it again as now`,
  )
}

/** Address of the server for a browser on this machine; undefined when another program listens for it. */
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
