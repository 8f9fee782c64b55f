import { isPlainObject } from './guards'
import type { ContextFragment, FragmentData, FragmentObject } from './types'

type Shape = ContextFragment<FragmentObject>

/** Makes fragments of named values, in the order of `keys`; an omitted option leaves no key. */
const shaped =
  <Input extends FragmentObject>(name: string, ...keys: (keyof Input & string)[]) =>
  (input: Input): Shape => ({
    name,
    data: Object.fromEntries(keys.flatMap((key) => (input[key] === undefined ? [] : [[key, input[key]]]))),
  })

/**
 * Vocabulary of the domain.
 *
 * @example term('MRR', 'monthly recurring revenue')
 */
export const term = (name: string, definition: string): Shape => ({
  name: 'term',
  data: { name, definition },
})

/**
 * A line the model must not cross: the rule, why it stands, and what to do instead.
 *
 * @example guardrail({ rule: 'Never expose personal data', reason: 'privacy law', action: 'aggregate instead' })
 */
export const guardrail = shaped<{ rule: string; reason?: string; action?: string }>(
  'guardrail',
  'rule',
  'reason',
  'action',
)

/**
 * A question with the answer expected of the model.
 *
 * @example example({ question: 'Revenue in May?', answer: 'SELECT sum(amount) …', note: 'net of refunds' })
 */
export const example = shaped<{ question: string; answer: string; note?: string }>(
  'example',
  'question',
  'answer',
  'note',
)

/**
 * A task in ordered steps.
 *
 * @example workflow({ task: 'Monthly report', steps: ['Load data', 'Clean it', 'Analyse it'] })
 */
export const workflow = shaped<{ task: string; steps: string[]; triggers?: string[]; notes?: string }>(
  'workflow',
  'task',
  'steps',
  'triggers',
  'notes',
)

/**
 * Explains a concept and its consequence for the model.
 *
 * @example explain({ concept: 'churn', explanation: 'customers lost per month', therefore: 'lower is better' })
 */
export const explain = shaped<{ concept: string; explanation: string; therefore?: string }>(
  'explain',
  'concept',
  'explanation',
  'therefore',
)

/**
 * When the model should ask back instead of guessing.
 *
 * @example clarification({ when: 'no period is named', ask: 'Which months?', reason: 'totals differ widely' })
 */
export const clarification = shaped<{ when: string; ask: string; reason?: string }>(
  'clarification',
  'when',
  'ask',
  'reason',
)

/**
 * A principle that decides where no rule does, with the policies it implies.
 *
 * @example principle({ title: 'Show your work', description: 'Every figure has a source', policies: ['cite tables'] })
 */
export const principle = shaped<{ title: string; description: string; policies?: FragmentData[] }>(
  'principle',
  'title',
  'description',
  'policies',
)

/**
 * A required step, always or before another action, with the policies it consists of: text, or policies
 * again. A guardrail forbids; a policy asks for.
 *
 * @example policy({ rule: 'Validate the query', before: 'running it', reason: 'errors cost a scan' })
 */
export const policy = shaped<{ rule: string; before?: string; reason?: string; policies?: FragmentData[] }>(
  'policy',
  'rule',
  'before',
  'reason',
  'policies',
)

/**
 * Compares two or more things: their relation, its consequence, and the pitfall of the comparison.
 *
 * @example analogy({ concepts: ['index', 'register of a book'], relationship: 'both point to pages', pitfall: 'it costs writes' })
 */
export const analogy = shaped<{
  concepts: string[]
  relationship: string
  insight?: string
  therefore?: string
  pitfall?: string
}>('analogy', 'concepts', 'relationship', 'insight', 'therefore', 'pitfall')

/**
 * Several terms at once, as rows: a term stays as it is, also when a format would refuse it as a key.
 *
 * @param entries definitions by term
 *
 * @example glossary({ MRR: 'monthly recurring revenue', ARR: 'yearly recurring revenue' })
 */
export const glossary = (entries: Readonly<Record<string, string>>): ContextFragment<FragmentObject[]> => ({
  name: 'glossary',
  data: Object.entries(entries).map(([term, definition]) => ({ term, definition })),
})

/**
 * The shape an answer must have. The schema is printed as JSON: models know it that way, and no renderer changes its keys.
 *
 * @param input.schema a JSON schema
 * @throws TypeError for a schema that is not an object, or not JSON
 *
 * @example structuredOutput({ name: 'city', schema: { type: 'object', properties: { name: { type: 'string' } } } })
 */
export function structuredOutput(input: { name?: string; description?: string; schema: object }): Shape {
  const { name, description, schema } = input
  if (!isPlainObject(schema)) throw new TypeError('A schema is a JSON object')
  return structured({ name, description, schema: JSON.stringify(schema) })
}

const structured = shaped<{ name?: string | undefined; description?: string | undefined; schema: string }>(
  'structuredOutput',
  'name',
  'description',
  'schema',
)

/**
 * Style of the answers.
 *
 * @example styleGuide({ prefer: 'short sentences', never: 'exclamation marks' })
 */
export const styleGuide = shaped<{ prefer: string; always?: string; never?: string }>(
  'styleGuide',
  'prefer',
  'always',
  'never',
)

/**
 * Something that is not as it seems, and the way around it.
 *
 * @example quirk({ issue: 'dates are stored as text', workaround: 'cast before comparing' })
 */
export const quirk = shaped<{ issue: string; workaround: string }>('quirk', 'issue', 'workaround')

/**
 * The character the model speaks as.
 *
 * @example persona({ name: 'Ada', role: 'data analyst', tone: 'dry' })
 */
export const persona = shaped<{ name: string; role?: string; objective?: string; tone?: string }>(
  'persona',
  'name',
  'role',
  'objective',
  'tone',
)

/**
 * Identity of the person.
 *
 * @example identity({ name: 'Devansh', role: 'founder' })
 */
export const identity = shaped<{ name?: string; role?: string }>('identity', 'name', 'role')

/**
 * The person's own meaning of a word, when it differs from the common one.
 *
 * @example alias('the big table', 'the orders table')
 */
export const alias = (term: string, meaning: string): Shape => ({ name: 'alias', data: { term, meaning } })

/**
 * A preference of the person.
 *
 * @example preference('date format', 'ISO 8601')
 */
export const preference = (aspect: string, value: string): Shape => ({
  name: 'preference',
  data: { aspect, value },
})

/**
 * A mistake of the model, and its correction.
 *
 * @example correction('status', '1 means active, not 0')
 */
export const correction = (subject: string, clarification: string): Shape => ({
  name: 'correction',
  data: { subject, clarification },
})

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
