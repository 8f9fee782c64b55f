import 'server-only'
import { audit, FloodGate } from '@/lib/runtime'
import { clientAddress } from '@/lib/runtime/front/request-origin'
import { toProblem } from './problem'

/** One refusal in the audit log. */
interface Refused {
  code: string
  status: number
  method: string
  path: string
  credential: string
}

/** Tokens in the paths of links. */
const tokens = /(?<=^\/(?:api\/shares|s)\/)[\w-]{43}(?=\/|$)/

type Asked = Pick<Request, 'headers' | 'method' | 'url'>

const shared = globalThis as typeof globalThis & { __ramifyRefused?: FloodGate<Refused> }

/** Bundles share one gate, so that its limits hold for the process. */
function gate(): FloodGate<Refused> {
  if (!shared.__ramifyRefused) {
    const opened = new FloodGate<Refused>({ perSource: 10, inAll: 200, sources: 5000 }, (line) =>
      audit('access_refused', {
        address: line.source,
        ...(line.more === undefined ? line.value : { more: line.more }),
      }),
    )
    // the last line of a process says how many it has held back
    process.once('exit', () => opened.flush())
    shared.__ramifyRefused = opened
  }
  return shared.__ramifyRefused
}

/**
 * Writes a refused access (401, 403, 421) to the audit log, and no other error. For each address, ten a
 * minute are written one by one, and the others are counted.
 */
export function noteRefusal(error: unknown, { headers, method, url }: Asked): void {
  const { status, code } = toProblem(error)
  if (status !== 401 && status !== 403 && status !== 421) return
  const credential = headers.has('authorization') ? 'key' : headers.has('cookie') ? 'session' : 'none'
  // the token of a link is a secret
  const path = (URL.parse(url, 'http://localhost')?.pathname ?? '').replace(tokens, '[token]')
  gate().note(clientAddress({ headers }), { code, status, method, path, credential })
}
