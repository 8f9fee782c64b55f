import 'server-only'
import type { NextRequest } from 'next/server'
// by their files: the index of lib/runtime would bring the database into the proxy
import { readEnv } from '@/lib/runtime/env'
import { clientAddress } from '@/lib/runtime/front/request-origin'
import { limitsOf } from '@/lib/runtime/limits'
import { RateWindow } from './pace'

/** Pages of all persons at one address: an office may share one. */
const PERSONS_PER_ADDRESS = 10

/** Addresses that count their requests themselves, by person, and refuse with a problem document. */
const COUNTED = /^\/(api|commands|threads|v1|mcp)(\/|$)/

/** Counts requests for pages, by session and by address. */
export class PageRate {
  readonly #bySession: RateWindow
  readonly #byAddress: RateWindow

  constructor(
    private readonly perMinute: number,
    clock: () => number = Date.now,
  ) {
    this.#bySession = new RateWindow(clock)
    this.#byAddress = new RateWindow(clock)
  }

  /** The refusal of a page beyond the limit; undefined for any other request. */
  refusalOf(request: Pick<NextRequest, 'headers' | 'nextUrl' | 'cookies'>): Response | undefined {
    if (COUNTED.test(request.nextUrl.pathname)) return undefined
    const session = request.cookies.getAll().find(({ name }) => name.endsWith('session_token'))?.value
    const wait = Math.max(
      this.#byAddress.take(clientAddress(request), this.perMinute * PERSONS_PER_ADDRESS),
      session === undefined ? 0 : this.#bySession.take(session, this.perMinute),
    )
    if (wait === 0) return undefined
    return new Response(`Too many pages in a short time. Wait ${wait} seconds and load the page again.`, {
      status: 429,
      headers: {
        'content-type': 'text/plain; charset=utf-8',
        'cache-control': 'no-store',
        'retry-after': String(wait),
      },
    })
  }
}

let rate: PageRate | undefined

/** The refusal of a page beyond the limit of a minute (`RAMIFY_READ_LIMIT`). Per process. */
export function refusePage(request: NextRequest): Response | undefined {
  // a wrong value stops the server elsewhere, with a line that names it
  rate ??= new PageRate(limitsOf(readEnv(process.env)).readsPerMinute)
  return rate.refusalOf(request)
}
