import type { QuotaExceededError } from '@/lib/context'
import type { QuotaLimits } from '@/lib/store'
import { audit } from './audit'
import type { Limits } from './limits'

const MINUTE = 60_000
/** Refusals that are remembered at most: each is written once a minute. */
const REMEMBERED = 10_000

/** The quotas that writes are counted against; undefined without any. */
export function quotaLimitsOf({
  quotas: { address_guests: _, ...counted },
}: Limits): QuotaLimits | undefined {
  const set = Object.entries(counted).filter(([, most]) => Number.isFinite(most))
  return set.length > 0 ? Object.fromEntries(set) : undefined
}

/** when each refusal was written last, oldest first */
const told = new Map<string, number>()

/** Writes a refusal to the audit log, once a minute for each person (else address) and limit. */
export function auditQuota(
  { limit, allowed, used, person }: QuotaExceededError,
  address: string | undefined,
): void {
  const key = `${limit} ${person ?? address}`
  const now = Date.now()
  const last = told.get(key)
  if (last !== undefined && now - last < MINUTE) return
  told.delete(key)
  told.set(key, now)
  const [oldest] = told.keys()
  if (told.size > REMEMBERED && oldest !== undefined) told.delete(oldest)
  audit('quota_hit', { limit, person: person ?? undefined, address, allowed, used })
}
