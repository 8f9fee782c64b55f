/** Small amounts keep two digits that say something. */
export const dollars = (amount: number): string =>
  new Intl.NumberFormat('en', {
    ...{ style: 'currency', currency: 'USD' },
    ...(amount < 0.1 && { maximumSignificantDigits: 2 }),
  }).format(amount)
