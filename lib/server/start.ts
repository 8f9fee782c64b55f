import 'server-only'
import { createWorker, getServices } from '@/lib/runtime'

/** Opens what the server needs and begins to look after replies that nobody writes. Ends the process when that cannot be. */
export async function startServer(): Promise<void> {
  try {
    const services = await getServices()
    if (services.env.RAMIFY_WORKER === 'on') createWorker(services).start()
  } catch (error) {
    // thrown from here, it would leave a server up that answers 500 to everything
    console.error(`[ramify] cannot start: ${error instanceof Error ? error.message : String(error)}`)
    process.exit(1)
  }
}
