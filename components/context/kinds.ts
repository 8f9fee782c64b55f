import type { ContextFragmentJson } from '@/lib/protocol'

/** A field of a fragment whose data is an object of texts. */
export interface Field {
  key: string
  label: string
  /** left out of the fragment while it is empty */
  optional?: boolean
}

/** A kind of fragment, by its name in the prompt. */
export interface Kind {
  name: string
  label: string
  /** one line in the menu */
  about: string
  /** none for a kind whose data is text */
  fields?: readonly Field[]
}

const field = (key: string, label: string): Field => ({ key, label })
const optional = (key: string, label: string): Field => ({ key, label, optional: true })

/** The kinds that the menu offers, the most frequent first. */
export const kinds: readonly Kind[] = [
  { name: 'role', label: 'Role', about: 'Who the model is' },
  { name: 'instruction', label: 'Instruction', about: 'What it has to do' },
  { name: 'hint', label: 'Hint', about: 'A rule of how it behaves' },
  {
    name: 'term',
    label: 'Term',
    about: 'A word, and what it means here',
    fields: [field('name', 'Term'), field('definition', 'Definition')],
  },
  {
    name: 'guardrail',
    label: 'Guardrail',
    about: 'A line it must not cross',
    fields: [field('rule', 'Rule'), optional('reason', 'Reason'), optional('action', 'What to do instead')],
  },
  {
    name: 'example',
    label: 'Example',
    about: 'A question with the answer you expect',
    fields: [field('question', 'Question'), field('answer', 'Answer'), optional('note', 'Note')],
  },
  {
    name: 'policy',
    label: 'Policy',
    about: 'What has to be done first, or always',
    fields: [field('rule', 'Rule'), optional('before', 'Before'), optional('reason', 'Reason')],
  },
  {
    name: 'styleGuide',
    label: 'Style',
    about: 'How answers are written',
    fields: [field('prefer', 'Prefer'), optional('always', 'Always'), optional('never', 'Never')],
  },
  {
    name: 'explain',
    label: 'Explanation',
    about: 'How something works, and what follows',
    fields: [
      field('concept', 'Concept'),
      field('explanation', 'Explanation'),
      optional('therefore', 'Therefore'),
    ],
  },
  {
    name: 'clarification',
    label: 'Clarification',
    about: 'When it asks back instead of guessing',
    fields: [field('when', 'When'), field('ask', 'Ask'), optional('reason', 'Reason')],
  },
  {
    name: 'quirk',
    label: 'Quirk',
    about: 'Something that is not as it seems, and the way around it',
    fields: [field('issue', 'Issue'), field('workaround', 'Workaround')],
  },
  {
    name: 'preference',
    label: 'Preference',
    about: 'What you like',
    fields: [field('aspect', 'Aspect'), field('value', 'Value')],
  },
  {
    name: 'persona',
    label: 'Persona',
    about: 'The character it speaks as',
    fields: [
      field('name', 'Name'),
      optional('role', 'Role'),
      optional('objective', 'Objective'),
      optional('tone', 'Tone'),
    ],
  },
]

/** For a name that is the person's own. */
export const customKind: Kind = { name: 'note', label: 'Other', about: 'Text under a name of your own' }

const byName = new Map(kinds.map((kind) => [kind.name, kind]))

/** The name of a fragment on the screen: its kind, or its own name. */
export const kindLabel = (name: string): string => byName.get(name)?.label ?? name

/** A new fragment of a kind, empty. */
export const emptyFragment = ({ name, fields }: Kind, id: string): ContextFragmentJson => ({
  id,
  name,
  enabled: true,
  data: fields ? Object.fromEntries(fields.flatMap((f) => (f.optional ? [] : [[f.key, '']]))) : '',
})

/** Ways to edit the data of a fragment: as a text, field by field, or as JSON. */
export type Shape =
  | { is: 'text'; text: string }
  | { is: 'fields'; fields: readonly Field[]; values: Readonly<Record<string, string>> }
  | { is: 'json' }

/** The shape of a fragment's data. Data that the fields of its kind cannot hold is JSON. */
export function shapeOf({ name, data }: Pick<ContextFragmentJson, 'name' | 'data'>): Shape {
  if (typeof data === 'string') return { is: 'text', text: data }
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return { is: 'json' }
  const fields = byName.get(name)?.fields
  const values = Object.entries(data)
  const fits = values.every(
    ([key, value]) => typeof value === 'string' && fields?.some((known) => known.key === key),
  )
  return fields && fits
    ? { is: 'fields', fields, values: Object.fromEntries(values) as never }
    : { is: 'json' }
}

/** The data of a fragment after one of its fields was changed, in the order of the fields. */
export const withField = (
  fields: readonly Field[],
  values: Readonly<Record<string, string>>,
  changed: string,
  text: string,
): Record<string, string> =>
  Object.fromEntries(
    fields.flatMap(({ key, optional: isOptional }) => {
      const value = key === changed ? text : values[key]
      return value === undefined || (isOptional && value === '') ? [] : [[key, value]]
    }),
  )

/** The words of a fragment, to count and to compare. */
export const dataText = (data: ContextFragmentJson['data']): string =>
  typeof data === 'string' ? data : JSON.stringify(data, null, 2)

/** True when a text is a name that a fragment may have; the same rule as the server's. */
export const isName = (text: string): boolean =>
  text.length <= 64 && /^[^\s\d<>&"'=/.-][^\s<>&"'=/]*$/.test(text)
