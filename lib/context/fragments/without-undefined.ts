import type { FragmentObject } from './types'

/** The same object without the keys whose value is undefined, so that an omitted option leaves no trace. */
export function withoutUndefined(object: FragmentObject): FragmentObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
}
