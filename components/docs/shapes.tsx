import type { JsonSchema } from '@/lib/server/api/document'
import { Fields, fieldsOf } from './fields'
import { Prose } from './prose'
import { SchemaType, schemaAnchor } from './schema-type'

/** Every named schema. */
export function Shapes({ schemas }: { schemas: Record<string, JsonSchema> }) {
  return Object.entries(schemas).map(([name, schema]) => (
    <section
      key={name}
      id={schemaAnchor(name)}
      aria-label={name}
      className="scroll-mt-6 border-line border-t py-6"
    >
      <h3 className="mb-3 font-mono font-semibold text-base">{name}</h3>
      {schema.description && <Prose text={`${schema.description}.`} className="mb-3 text-muted" />}
      <Shape schema={schema} />
    </section>
  ))
}

function Shape({ schema }: { schema: JsonSchema }) {
  if (schema.oneOf) return <Kinds kinds={schema.oneOf} />
  if (schema.properties) return <Fields fields={fieldsOf(schema)} />
  return (
    <p className="text-muted text-sm">
      <SchemaType schema={schema} />
    </p>
  )
}

/** A union by `type`: the common fields, then the payload of each type. */
function Kinds({ kinds }: { kinds: readonly JsonSchema[] }) {
  const shared = fieldsOf(kinds[0] ?? {}).filter(({ name }) => name !== 'payload' && name !== 'type')
  return (
    <div className="flex flex-col gap-5">
      <Fields
        fields={[
          { name: 'type', schema: { type: 'string' }, required: true, description: 'One of those below' },
          ...shared,
          { name: 'payload', schema: { type: 'object' }, required: true, description: 'As its type says' },
        ]}
      />
      {kinds.map(({ properties: { type, payload } = {} }) => (
        <div key={String(type?.const)}>
          <h4 className="mb-1.5 text-sm">
            The payload of <span className="font-mono">{String(type?.const)}</span>
          </h4>
          <Fields fields={fieldsOf(payload ?? {})} />
        </div>
      ))}
    </div>
  )
}
