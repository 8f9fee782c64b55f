import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage } from 'node:http'
import { getCloneableBody } from 'next/dist/server/body-streams'
import { afterAll, beforeAll } from 'vitest'
import { ADDRESS_HEADER } from '@/lib/runtime/front/request-origin'
import { given } from '@/testing/machines/framework/given'

// What the framework gives to the code of a request, and a test of that code gives here. For the file or the block that calls it.

/** What was to run when the answer is sent; it runs at once. */
export function tasksAfter(): Promise<unknown>[] {
  const tasks: Promise<unknown>[] = []
  beforeAll(() => {
    given.after = (task) => void tasks.push(task())
  })
  afterAll(() => {
    delete given.after
  })
  return tasks
}

/** Copies the body of a request as before a proxy: the copy takes the place of the body, listeners and all. */
export async function copyBody(request: IncomingMessage): Promise<void> {
  const body = getCloneableBody(request)
  body.cloneBodyStream().resume()
  await body.finalize()
}

const underWay = new AsyncLocalStorage<Headers>()

/** The headers of each request are those of the one under way (`inRequestOf`), also where several are. */
export function headersUnderWay(): void {
  beforeAll(() => {
    given.headers = () => underWay.getStore() ?? new Headers()
  })
  afterAll(() => {
    delete given.headers
  })
}

/** Handles a request, whose headers the code of a request then finds. */
export const inRequestOf = <T>({ headers }: { headers: Headers }, handle: () => Promise<T>): Promise<T> =>
  underWay.run(headers, handle)

const shared = globalThis as typeof globalThis & { __ramifyFront?: true }

/** Requests bring their network address as the server's front says it; without it their address is unknown. */
export function behindFront(): void {
  beforeAll(() => {
    shared.__ramifyFront = true
  })
  afterAll(() => {
    delete shared.__ramifyFront
  })
}

/** The headers by which the front says where a request came from. */
export const cameFrom = (address: string): Record<string, string> => ({ [ADDRESS_HEADER]: address })
