import { takeOverRuns } from '@/lib/conversations'
import type { Services } from './services'

/**
 * Looks for replies whose process has died, now and then again every few seconds, and takes them over: within five
 * seconds of the end of their lease. Returns what stops the looking.
 */
export function sweepRuns({ ports }: Services): () => void {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  const sweep = async () => {
    await takeOverRuns(ports).catch((error: unknown) => ports.logError('taking over runs', error))
    if (!stopped) timer = setTimeout(() => void sweep(), Math.min(ports.leaseMs / 3, 4000))
    timer?.unref()
  }
  void sweep()
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}
