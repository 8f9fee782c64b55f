import { type PageServer, servePages } from './serve-pages'

const shared = globalThis as typeof globalThis & { __ramifyPages?: PageServer | undefined }

/** Starts the server behind the component tests; `pageRoutes` of `vitest.config.ts` gives it their requests. */
export default async function setup(): Promise<() => Promise<void>> {
  const server = await servePages()
  shared.__ramifyPages = server
  return async () => {
    delete shared.__ramifyPages
    await server.close()
  }
}
