import type { ContextFragment, FragmentObject } from './types'
import { withoutUndefined } from './without-undefined'

/**
 * The character the model speaks as.
 *
 * @example persona({ name: 'Ada', role: 'data analyst', tone: 'dry' })
 */
export function persona(input: {
  name: string
  role?: string
  objective?: string
  tone?: string
}): ContextFragment<FragmentObject> {
  const { name, role, objective, tone } = input
  return { name: 'persona', data: withoutUndefined({ name, role, objective, tone }) }
}

/**
 * Who the person at the other end is.
 *
 * @example identity({ name: 'Devansh', role: 'founder' })
 */
export function identity(input: { name?: string; role?: string }): ContextFragment<FragmentObject> {
  return { name: 'identity', data: withoutUndefined({ name: input.name, role: input.role }) }
}

/**
 * What the person likes.
 *
 * @example preference('date format', 'ISO 8601')
 */
export function preference(aspect: string, value: string): ContextFragment<FragmentObject> {
  return { name: 'preference', data: { aspect, value } }
}

/**
 * Something the model got wrong before, and what is right.
 *
 * @example correction('status', '1 means active, not 0')
 */
export function correction(subject: string, clarification: string): ContextFragment<FragmentObject> {
  return { name: 'correction', data: { subject, clarification } }
}

/**
 * A fact to keep for the rest of the branch.
 *
 * @param options.id lets a later `forget` name it; ids are never rendered
 *
 * @example memory('The user is called Devansh.', { id: 'mem-1' })
 */
export function memory(content: string, options: { id?: string } = {}): ContextFragment<string> {
  const memory: ContextFragment<string> = { name: 'memory', data: content }
  return options.id === undefined ? memory : { id: options.id, ...memory }
}
