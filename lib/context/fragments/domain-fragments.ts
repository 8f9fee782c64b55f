import type { ContextFragment, FragmentObject } from './types'

/**
 * Vocabulary of the domain.
 *
 * @example term('MRR', 'monthly recurring revenue')
 */
export function term(name: string, definition: string): ContextFragment<FragmentObject> {
  return { name: 'term', data: { name, definition } }
}

/**
 * A line the model must not cross: the rule, why it stands, and what to do instead.
 *
 * @example guardrail({ rule: 'Never expose personal data', reason: 'privacy law', action: 'aggregate instead' })
 */
export function guardrail(input: {
  rule: string
  reason?: string
  action?: string
}): ContextFragment<FragmentObject> {
  const { rule, reason, action } = input
  return { name: 'guardrail', data: withoutUndefined({ rule, reason, action }) }
}

/**
 * A question with the answer expected of the model.
 *
 * @example example({ question: 'Revenue in May?', answer: 'SELECT sum(amount) …', note: 'net of refunds' })
 */
export function example(input: {
  question: string
  answer: string
  note?: string
}): ContextFragment<FragmentObject> {
  const { question, answer, note } = input
  return { name: 'example', data: withoutUndefined({ question, answer, note }) }
}

/**
 * A task in ordered steps.
 *
 * @example workflow({ task: 'Monthly report', steps: ['Load data', 'Clean it', 'Analyse it'] })
 */
export function workflow(input: {
  task: string
  steps: string[]
  triggers?: string[]
  notes?: string
}): ContextFragment<FragmentObject> {
  const { task, steps, triggers, notes } = input
  return { name: 'workflow', data: withoutUndefined({ task, steps, triggers, notes }) }
}

/**
 * How something works, and what follows for the model.
 *
 * @example explain({ concept: 'churn', explanation: 'customers lost per month', therefore: 'lower is better' })
 */
export function explain(input: {
  concept: string
  explanation: string
  therefore?: string
}): ContextFragment<FragmentObject> {
  const { concept, explanation, therefore } = input
  return { name: 'explain', data: withoutUndefined({ concept, explanation, therefore }) }
}

/**
 * When the model should ask back instead of guessing.
 *
 * @example clarification({ when: 'no period is named', ask: 'Which months?', reason: 'totals differ widely' })
 */
export function clarification(input: {
  when: string
  ask: string
  reason?: string
}): ContextFragment<FragmentObject> {
  const { when, ask, reason } = input
  return { name: 'clarification', data: withoutUndefined({ when, ask, reason }) }
}

/**
 * A principle that decides where no rule does, with the policies it implies.
 *
 * @example principle({ title: 'Show your work', description: 'Every figure has a source', policies: ['cite tables'] })
 */
export function principle(input: {
  title: string
  description: string
  policies?: string[]
}): ContextFragment<FragmentObject> {
  const { title, description, policies } = input
  return { name: 'principle', data: withoutUndefined({ title, description, policies }) }
}

/**
 * How answers are written.
 *
 * @example styleGuide({ prefer: 'short sentences', never: 'exclamation marks' })
 */
export function styleGuide(input: {
  prefer: string
  always?: string
  never?: string
}): ContextFragment<FragmentObject> {
  const { prefer, always, never } = input
  return { name: 'styleGuide', data: withoutUndefined({ prefer, always, never }) }
}

/**
 * Something that is not as it seems, and the way around it.
 *
 * @example quirk({ issue: 'dates are stored as text', workaround: 'cast before comparing' })
 */
export function quirk(input: { issue: string; workaround: string }): ContextFragment<FragmentObject> {
  return { name: 'quirk', data: { issue: input.issue, workaround: input.workaround } }
}

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
 * A mistake of the model, and its correction.
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

/** The same object without the keys whose value is undefined, so that an omitted option leaves no trace. */
function withoutUndefined(object: FragmentObject): FragmentObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
}
