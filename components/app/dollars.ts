import { madeOnce } from '@/lib/events/made-once'

const whole = madeOnce(() => new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' }))
const small = madeOnce(
  () => new Intl.NumberFormat('en', { style: 'currency', currency: 'USD', maximumSignificantDigits: 2 }),
)

/** Small amounts keep two digits that say something. */
export const dollars = (amount: number): string => (amount < 0.1 ? small() : whole()).format(amount)
