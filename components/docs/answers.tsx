import type { ApiDocument, OperationObject, ResponseObject } from '@/lib/server/api/document'
import { Inline } from './prose'
import { nameIn, SchemaType } from './schema-type'

/** The answers of an operation by status, refusals last. */
export function Answers({ document, operation }: { document: ApiDocument; operation: OperationObject }) {
  return (
    <dl className="divide-y divide-line border-line border-y">
      {Object.entries(operation.responses).map(([status, response]) => {
        const { description, content = {} } = resolve(document, response)
        const shape = content['application/json']?.schema
        return (
          <div key={status} className="grid grid-cols-[3rem_minmax(0,1fr)] gap-x-4 py-2">
            <dt className="font-mono text-sm">{status}</dt>
            <dd className="text-muted text-sm">
              <Inline text={description} />
              {shape && (
                <>
                  {' '}
                  <SchemaType schema={shape} />
                </>
              )}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

/** An example of the successful answer, as text; undefined when it has no body. */
export function exampleOf(operation: OperationObject): { type: string; text: string } | undefined {
  const success = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))?.[1]
  if (!success || '$ref' in success) return undefined
  const [found] = Object.entries(success.content ?? {})
  if (!found || found[1].example === undefined) return undefined
  const [type, { example }] = found
  return { type, text: typeof example === 'string' ? example.trim() : JSON.stringify(example, null, 2) }
}

function resolve(document: ApiDocument, response: ResponseObject | { $ref: string }): ResponseObject {
  if (!('$ref' in response)) return response
  return document.components.responses[nameIn(response.$ref)] ?? { description: '' }
}
