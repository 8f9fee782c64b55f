import 'server-only'
import { QuotaExceededError } from '@/lib/context'
import { auditQuota, logError, type Services } from '@/lib/runtime'
import { giveGuestBack, secondsLeftOfDay, takeGuest } from '@/lib/store'

/** Lets a guest begin, if its address may have another one today; one that did not begin is not counted. */
export async function asGuest(
  { database, limits }: Services,
  address: string,
  answer: () => Promise<Response>,
): Promise<Response> {
  const allowed = limits.address.guests
  // where nothing says the address, all guests of the site would share its limit
  if (!Number.isFinite(allowed) || address === 'unknown') return answer()
  if (!(await takeGuest(database, address, allowed))) {
    const left = secondsLeftOfDay(Date.now())
    const refusal = new QuotaExceededError('address_guests', allowed, allowed, left)
    auditQuota(refusal, address)
    throw refusal
  }
  const giveBack = () =>
    giveGuestBack(database, address).catch((error: unknown) => logError('counting guests', error))
  try {
    const response = await answer()
    if (!response.ok) await giveBack()
    return response
  } catch (error) {
    await giveBack()
    throw error
  }
}
