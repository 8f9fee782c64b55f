import type { Services } from './services'

const shared = globalThis as typeof globalThis & { __ramifyServices?: Promise<Services> }

/**
 * The services of this process. Bundles and hot reloads share one instance: two embedded databases in one process
 * would lose rows. The code that makes them is loaded by the bundle that asks first: the others would start it once more.
 */
export function getServices(): Promise<Services> {
  shared.__ramifyServices ??= make().catch((error: unknown) => {
    delete shared.__ramifyServices
    throw error
  })
  return shared.__ramifyServices
}

async function make(): Promise<Services> {
  const { createServices } = await import('./services')
  return createServices(process.env)
}
