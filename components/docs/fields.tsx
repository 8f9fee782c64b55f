import type { JsonSchema } from '@/lib/server/api/document'
import { Inline } from './prose'
import { SchemaType } from './schema-type'

export interface Field {
  name: string
  schema: JsonSchema
  required: boolean
  description?: string | undefined
  /** its place in the request, if that is not the body */
  place?: 'query' | 'header' | undefined
}

/** The fields of an object, in its order. */
export const fieldsOf = ({ properties = {}, required = [] }: JsonSchema): Field[] =>
  Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    required: required.includes(name),
    description: schema.description,
  }))

/** Fields with their types and descriptions. */
export function Fields({ fields }: { fields: readonly Field[] }) {
  return (
    <dl className="divide-y divide-line border-line border-y">
      {fields.map(({ name, schema, required, description, place }) => (
        <div key={name} className="grid gap-x-4 py-2 sm:grid-cols-[12.5rem_minmax(0,1fr)]">
          <dt className="font-mono text-sm [overflow-wrap:anywhere]">
            {name}
            {(place || !required) && (
              <span className="block font-sans text-faint text-xs">
                {[place, required ? undefined : 'optional'].filter(Boolean).join(', ')}
              </span>
            )}
          </dt>
          <dd className="text-muted text-sm [overflow-wrap:anywhere]">
            <SchemaType schema={schema} />
            {description && (
              <>
                . <Inline text={description.endsWith('.') ? description : `${description}.`} />
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
