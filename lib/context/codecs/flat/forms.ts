import { isPlainObject } from '../../fragments/guards'

/** Type of a field of a flat form; `items` are texts and fragments. With a `?`, the field may be missing. */
type Kind = 'text' | 'texts' | 'items'

/** The flat form of one type of fragment: its fields, in their order. */
interface Form {
  fields: Readonly<Record<string, Kind | `${Kind}?`>>
  /** The one field that is the data itself; without it, the data is an object of the fields. */
  content?: string
}

/** The types of fragments that have a form of their own, each named after its helper. */
const FORMS: Readonly<Record<string, Form>> = {
  role: { fields: { content: 'text' }, content: 'content' },
  hint: { fields: { text: 'text' }, content: 'text' },
  memory: { fields: { content: 'text' }, content: 'content' },
  term: { fields: { name: 'text', definition: 'text' } },
  alias: { fields: { term: 'text', meaning: 'text' } },
  guardrail: { fields: { rule: 'text', reason: 'text?', action: 'text?' } },
  example: { fields: { question: 'text', answer: 'text', note: 'text?' } },
  workflow: { fields: { task: 'text', steps: 'texts', triggers: 'texts?', notes: 'text?' } },
  explain: { fields: { concept: 'text', explanation: 'text', therefore: 'text?' } },
  clarification: { fields: { when: 'text', ask: 'text', reason: 'text?' } },
  principle: { fields: { title: 'text', description: 'text', policies: 'items?' } },
  policy: { fields: { rule: 'text', before: 'text?', reason: 'text?', policies: 'items?' } },
  analogy: {
    fields: {
      concepts: 'texts',
      relationship: 'text',
      insight: 'text?',
      therefore: 'text?',
      pitfall: 'text?',
    },
  },
  styleGuide: { fields: { prefer: 'text', always: 'text?', never: 'text?' } },
  quirk: { fields: { issue: 'text', workaround: 'text' } },
  persona: { fields: { name: 'text', role: 'text?', objective: 'text?', tone: 'text?' } },
  identity: { fields: { name: 'text?', role: 'text?' } },
  preference: { fields: { aspect: 'text', value: 'text' } },
  correction: { fields: { subject: 'text', clarification: 'text' } },
  structuredOutput: { fields: { name: 'text?', description: 'text?', schema: 'text' } },
}

/** Fields beside the type in a fragment without a form of its own. */
export const FIELDS: ReadonlySet<string> = new Set(['id', 'name', 'data', 'persist', 'metadata'])

/** The form of a type, undefined for any other name. */
export const formOf = (type: string): Form | undefined =>
  Object.hasOwn(FORMS, type) ? FORMS[type] : undefined

/** Why an object is not of a form, undefined when it is. */
export function misfit(
  form: Form,
  object: Record<string, unknown>,
  isItem: (value: unknown) => boolean,
): { field: string; reason: string } | undefined {
  for (const field of Object.keys(object)) {
    if (!Object.hasOwn(form.fields, field)) return { field, reason: 'an unknown field' }
  }
  for (const [field, kind] of Object.entries(form.fields)) {
    if (!Object.hasOwn(object, field)) {
      if (!kind.endsWith('?')) return { field, reason: 'the field is missing' }
    } else if (!isOfKind(kind, object[field], isItem)) return { field, reason: EXPECTED[kind] }
  }
  return undefined
}

const EXPECTED = {
  text: 'a text was expected',
  'text?': 'a text was expected',
  texts: 'a list of texts was expected',
  'texts?': 'a list of texts was expected',
  items: 'a list of texts and fragments was expected',
  'items?': 'a list of texts and fragments was expected',
}

function isOfKind(kind: string, value: unknown, isItem: (value: unknown) => boolean): boolean {
  if (kind.startsWith('texts')) return Array.isArray(value) && value.every(isText)
  if (kind.startsWith('items'))
    return Array.isArray(value) && value.every((item) => isText(item) || isItem(item))
  return isText(value)
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** Entries by term as the rows of a glossary. */
export const rowsOf = (entries: Readonly<Record<string, unknown>>): { term: string; definition: unknown }[] =>
  Object.entries(entries).map(([term, definition]) => ({ term, definition }))

/** The rows of a glossary as entries by term; undefined for any other data, and for rows that entries would lose or reorder. */
export function entriesOf(rows: unknown): Record<string, string> | undefined {
  if (!Array.isArray(rows)) return undefined
  const pairs = rows.map((row: unknown): [string, string] | undefined => {
    if (!isPlainObject(row) || Object.keys(row).join() !== 'term,definition') return undefined
    return isText(row.term) && isText(row.definition) ? [row.term, row.definition] : undefined
  })
  if (!pairs.every((pair) => pair !== undefined)) return undefined
  const entries: Record<string, string> = Object.fromEntries(pairs)
  const terms = Object.keys(entries)
  return terms.length === pairs.length && terms.every((term, index) => term === pairs[index]?.[0])
    ? entries
    : undefined
}
