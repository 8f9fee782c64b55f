import 'server-only'
import type { Ports } from '@/lib/conversations'

/** The ports for a request that only reads: when its client leaves, what is being read for it is cancelled. */
export const reading = (request: Request, ports: Ports): Ports => ({
  ...ports,
  reads: ports.reads.until(request.signal),
  threads: ports.threads.until(request.signal),
})
