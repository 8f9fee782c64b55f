import { isExactFragment, isPlainObject } from './guards'
import type { ContextFragment, FragmentData } from './types'

/**
 * A named fragment around any number of children: text, values, objects or further fragments.
 *
 * A lone text, number or object is the content itself, not a list of one; `{ name, data: [value] }` is that list.
 *
 * @param name tag name; renderers make it legal for their format
 * @param children kept in order; `null` and `undefined` are skipped when rendering, so conditions can stand inline
 *
 * @example
 * fragment('database', hint('PostgreSQL 15'), fragment('constraints', hint('No DELETE without audit')))
 * // XML: <database><hint>PostgreSQL 15</hint><constraints><hint>…</hint></constraints></database>
 */
export function fragment(name: string, ...children: FragmentData[]): ContextFragment {
  const [only, ...others] = children.filter((child) => child !== null && child !== undefined)
  return { name, data: others.length === 0 && isContent(only) ? only : children }
}

const isContent = (child: FragmentData): boolean =>
  child !== undefined && !Array.isArray(child) && (!isPlainObject(child) || !isExactFragment(child))

/**
 * Role of the model (Context Engine, “set”).
 *
 * @example role('You are a friendly assistant.')
 */
export function role(content: string): ContextFragment<string> {
  return { name: 'role', data: content }
}

/**
 * A rule of behaviour (Context Engine, “set”).
 *
 * @example hint('Keep responses brief.')
 */
export function hint(text: string): ContextFragment<string> {
  return { name: 'hint', data: text }
}
