/** More combining marks on a letter than this stand in no language; each is drawn above the last. */
export const maxMarks = 12

const surplus = new RegExp(String.raw`(\p{M}{${maxMarks}})\p{M}+`, 'gu')

/** A text without the combining marks that no language has: they would be drawn over everything around it. */
export const withoutSurplusMarks = (text: string): string =>
  // most texts have no letter that could be one
  /[\u0300-\uffff]/.test(text) ? text.replace(surplus, '$1') : text
