import type { QuotaExceededError, QuotaName } from '@/lib/context'
import type { QuotaLimits } from '@/lib/store'
import { audit } from './audit'
import type { Limits } from './limits'

const MINUTE = 60_000
/** Refusals that are remembered, at most, so that each is told once a minute. */
const REMEMBERED = 10_000

/** The limits that writes are counted against, by the names their settings have; undefined when there is none. */
export function quotaLimitsOf({ person, address, site }: Limits): QuotaLimits | undefined {
  const all: Record<Exclude<QuotaName, 'address_guests'>, number> = {
    chats: person.chats,
    branches: person.branchesPerChat,
    bytes: person.bytes,
    messages: person.messages,
    calls: person.calls,
    tokens: person.tokens,
    address_chats: address.chats,
    address_bytes: address.bytes,
    address_messages: address.messages,
    address_calls: address.calls,
    address_tokens: address.tokens,
    site_calls: site.calls,
    site_tokens: site.tokens,
  }
  const set = Object.entries(all).filter(([, most]) => Number.isFinite(most))
  return set.length > 0 ? Object.fromEntries(set) : undefined
}

/** when each refusal was told last, oldest first */
const told = new Map<string, number>()

/** Puts a refusal into the audit log, of one person (else address) and limit once a minute. */
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
