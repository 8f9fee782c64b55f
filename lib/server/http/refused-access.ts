import 'server-only'
import { audit, FloodGate } from '@/lib/runtime'
import { clientAddress } from './client-address'
import { problemOf } from './problem'

/** What stands in the audit log of one refusal. */
interface Refused {
  code: string
  status: number
  method: string
  path: string
  credential: string
}

type Asked = Pick<Request, 'headers' | 'method' | 'url'>

const shared = globalThis as typeof globalThis & { __ramifyRefused?: FloodGate<Refused> }

/** Bundles share one, so that the limits are those of the process. */
function gate(): FloodGate<Refused> {
  if (!shared.__ramifyRefused) {
    const opened = new FloodGate<Refused>({ perSource: 10, inAll: 200, sources: 5000 }, (line) =>
      audit(
        'access_refused',
        line.more === undefined
          ? { address: line.source, ...line.value }
          : { address: line.source, more: line.more },
      ),
    )
    // a process that ends tells the number of what it has held back
    process.once('exit', () => opened.flush())
    shared.__ramifyRefused = opened
  }
  return shared.__ramifyRefused
}

/**
 * Notes a refusal at the door (401, 403, 421) in the audit log; any other error it leaves alone. Of one address ten a
 * minute are written one by one, of the rest the number.
 */
export function noteRefusal(error: unknown, { headers, method, url }: Asked): void {
  const { status, code } = problemOf(error)
  if (status !== 401 && status !== 403 && status !== 421) return
  const credential = headers.has('authorization') ? 'key' : headers.has('cookie') ? 'session' : 'none'
  const path = URL.parse(url, 'http://localhost')?.pathname ?? ''
  gate().note(clientAddress({ headers }), { code, status, method, path, credential })
}
