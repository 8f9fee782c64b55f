import type { ApiDocument, JsonSchema, OperationObject } from '@/lib/server/api/document'
import { Answers, exampleOf } from './answers'
import { Code } from './code'
import { Fields, fieldsOf } from './fields'
import { Prose } from './prose'
import { nameIn } from './schema-type'

interface Props {
  document: ApiDocument
  method: string
  path: string
  operation: OperationObject
}

/** One operation: its purpose, its input, its answers, and lines to try it. */
export function OperationEntry({ document, method, path, operation }: Props) {
  const { operationId, summary, description, parameters = [], requestBody } = operation
  const [content] = Object.values(requestBody?.content ?? {})
  const body = content && shapeOf(document, content.schema ?? {})
  const taken = [
    ...parameters.map(({ name, schema, required, description: about, in: place }) => ({
      name: place === 'path' ? `{${name}}` : name,
      schema,
      required,
      description: about,
      place: place === 'path' ? undefined : place,
    })),
    ...(body ? fieldsOf(body) : []),
  ]
  const example = exampleOf(operation)
  return (
    <article
      id={operationId}
      aria-labelledby={`${operationId}-title`}
      className="scroll-mt-6 border-line border-t py-8"
    >
      <h3 id={`${operationId}-title`} className="font-semibold text-lg">
        <a href={`#${operationId}`} className="hover:underline hover:underline-offset-4">
          {summary}
        </a>
      </h3>
      <p className="mt-1 font-mono text-base [overflow-wrap:anywhere]">
        <span className="text-muted">{method.toUpperCase()}</span> {path}
      </p>
      {description && <Prose text={description} className="mt-3 max-w-[68ch] text-muted" />}
      <div className="mt-5 grid gap-x-10 gap-y-6 xl:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-6">
          {taken.length > 0 && (
            <section aria-label={`${summary}: what it takes`}>
              <h4 className="mb-2 text-faint text-xs">Takes</h4>
              <Fields fields={taken} />
            </section>
          )}
          <section aria-label={`${summary}: what it answers`}>
            <h4 className="mb-2 text-faint text-xs">Answers</h4>
            <Answers document={document} operation={operation} />
          </section>
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          {operation['x-codeSamples'].map(({ label, source }) => (
            <Code key={source} label={label} text={source} />
          ))}
          {example && <Code label={example.type} text={example.text} />}
        </div>
      </div>
    </article>
  )
}

/** The schema behind a reference. */
function shapeOf(document: ApiDocument, schema: JsonSchema): JsonSchema {
  return schema.$ref ? (document.components.schemas[nameIn(schema.$ref)] ?? {}) : schema
}
