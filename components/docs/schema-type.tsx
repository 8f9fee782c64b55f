import type { JsonSchema } from '@/lib/server/api/document'

export const schemaAnchor = (name: string): string => `shape-${name}`

/** The name at the end of a reference. */
export const nameIn = (ref: string): string => ref.split('/').at(-1) ?? ''

/** The type of a value in a few words; a named schema links to its description. */
export function SchemaType({ schema }: { schema: JsonSchema }) {
  if (schema.$ref) {
    const name = nameIn(schema.$ref)
    return (
      <a href={`#${schemaAnchor(name)}`} className="text-accent underline underline-offset-2">
        {name}
      </a>
    )
  }
  if (schema.type === 'array' && schema.items) {
    return (
      <>
        list of <SchemaType schema={schema.items} />
      </>
    )
  }
  const either = schema.anyOf ?? schema.oneOf
  if (either) {
    return either.map((one, i) => (
      <span key={JSON.stringify(one)}>
        {i > 0 && ' or '}
        <SchemaType schema={one} />
      </span>
    ))
  }
  return wordsOf(schema)
}

function wordsOf(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' or ')
  const types = [schema.type ?? 'any value'].flat()
  const words = types.map((type) =>
    type === 'string' && schema.format === 'date-time' ? 'ISO 8601 time' : type,
  )
  return words.join(' or ') + limitsOf(schema)
}

function limitsOf({ minimum, maximum, minLength, maxLength, default: fallback }: JsonSchema): string {
  const limits = [
    ...(minimum !== undefined && maximum !== undefined ? [`${number(minimum)} to ${number(maximum)}`] : []),
    ...(minLength !== undefined && maxLength !== undefined
      ? [`${number(minLength)} to ${number(maxLength)} characters`]
      : []),
    ...(fallback === undefined ? [] : [`else ${String(fallback)}`]),
  ]
  return limits.length > 0 ? `, ${limits.join(', ')}` : ''
}

const number = (value: number): string => value.toLocaleString('en')
