import 'server-only'
import { RequestRefusedError } from './problem'

const MINUTE = 60_000

const shared = globalThis as typeof globalThis & {
  __ramifyWrites?: Map<string, { since: number; count: number }>
}

/** Counts a write; more than `perMinute` by one person in a minute are refused (429). Per process. */
export function checkRate(userId: string, perMinute: number | 'off'): void {
  if (perMinute === 'off') return
  shared.__ramifyWrites ??= new Map()
  const writes = shared.__ramifyWrites
  const now = Date.now()
  const window = writes.get(userId)
  if (!window || now - window.since >= MINUTE) {
    if (writes.size > 10_000) for (const [id, w] of writes) if (now - w.since >= MINUTE) writes.delete(id)
    writes.set(userId, { since: now, count: 1 })
    return
  }
  window.count += 1
  if (window.count > perMinute) {
    throw new RequestRefusedError(
      429,
      'too_many_requests',
      'That was a lot at once. Wait a minute and go on.',
    )
  }
}
