import { maxMarks } from '@/lib/markdown/layout-cost'

const surplus = new RegExp(String.raw`(\p{M}{${maxMarks}})\p{M}+`, 'gu')

/** A text without surplus combining marks, which would be drawn over the lines around it. */
export const withoutSurplusMarks = (text: string): string =>
  // most texts have no combining marks at all
  /[\u0300-\uffff]/.test(text) ? text.replace(surplus, '$1') : text
