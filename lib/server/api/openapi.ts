import 'server-only'
import { z } from 'zod'
import { components } from './components'
import { curlsOf } from './curl'
import type { ApiDocument, JsonSchema, OperationObject, Parameter, ResponseObject } from './document'
import { type Answer, type Operation, tags } from './operation'
import { operations } from './operations'
import { refusalResponses, refusalsOf } from './refusals'

const description = `What a script or an agent needs of Ramify, over HTTP.

A thread is a branch of a chat, and everything that happens on it is an event with a number. You say things to it with commands, and read what became of them. A fork of a thread inherits its events up to one of them, and with them the context: the model remembers exactly what was said until then, and nothing else.

Send JSON, and say who you are with the session’s cookie or with \`Authorization: Bearer\` and an API key. Every refusal is an \`application/problem+json\` document, and leaves everything as it was; decide by its \`code\`. What is not yours is not found.`

function pathsOf(all: readonly Operation[]): ApiDocument['paths'] {
  const paths: ApiDocument['paths'] = {}
  for (const operation of all) {
    const { path, method } = operation
    paths[path] = { ...paths[path], [method]: operationObject(operation) }
  }
  return paths
}

const securities: Record<string, Record<string, string[]>[]> = {
  viewer: [{ key: [] }, { session: [] }],
  anybody: [],
  scheduler: [{ scheduler: [] }],
}

function operationObject(operation: Operation): OperationObject {
  const { id, tag, summary, asks = 'viewer', body } = operation
  const parameters = parametersOf(operation)
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(operation.description ? { description: operation.description } : {}),
    security: securities[asks] ?? [],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: schemaOf(body.schema), example: body.example } },
          },
        }
      : {}),
    responses: { ...answersOf(operation.answers), ...refusalsOf(operation) },
    'x-codeSamples': curlsOf(operation).map((source) => ({ lang: 'Shell', label: 'curl', source })),
  }
}

function parametersOf({ names, query, headers = {} }: Operation): Parameter[] {
  const fields: Record<string, z.ZodType> = query?.shape ?? {}
  return [
    ...(names
      ? [{ name: 'id', in: 'path' as const, required: true, description: names, schema: { type: 'string' } }]
      : []),
    ...Object.entries(fields).map(([name, schema]) => parameterOf(name, 'query', schema)),
    ...Object.entries(headers).map(([name, { schema }]) => parameterOf(name, 'header', schema)),
  ]
}

function parameterOf(name: string, place: 'query' | 'header', field: z.ZodType): Parameter {
  const { description: about, ...schema } = schemaOf(field)
  return {
    name,
    in: place,
    required: place === 'query' && !field.safeParse(undefined).success,
    ...(about ? { description: about } : {}),
    schema,
  }
}

/** Several answers of one status are one response, with a content of each type. */
function answersOf(answers: readonly Answer[]): Record<string, ResponseObject> {
  const responses: Record<string, ResponseObject> = {}
  for (const { status, description: about, type = 'application/json', schema, example } of answers) {
    const known = responses[status]
    const says = schema !== undefined || example !== undefined
    const content = {
      ...known?.content,
      ...(says
        ? {
            [type]: {
              schema: schema ? schemaOf(schema) : { type: 'string' },
              ...(example === undefined ? {} : { example }),
            },
          }
        : {}),
    }
    responses[status] = {
      description: known ? `${known.description} ${about}` : about,
      ...(Object.keys(content).length > 0 ? { content } : {}),
    }
  }
  return responses
}

/** A named schema by its name, any other one as it is. */
function schemaOf(schema: z.ZodType): JsonSchema {
  const id = components.get(schema)?.id
  return id
    ? { $ref: `#/components/schemas/${id}` }
    : tidy(z.toJSONSchema(schema, { io: 'input' }) as JsonSchema)
}

function namedSchemas(): Record<string, JsonSchema> {
  const { schemas } = z.toJSONSchema(components, { io: 'input', uri: (id) => `#/components/schemas/${id}` })
  return Object.fromEntries(
    Object.entries(schemas)
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([id, schema]) => [id, tidy(schema as JsonSchema)]),
  )
}

/** Leaves out what says nothing: where the schema's own dialect is, and the limits of a float that holds an integer. */
function tidy(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    const isNoise =
      key === '$schema' ||
      key === '$id' ||
      ((key === 'minimum' || key === 'maximum') && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER)
    if (isNoise) return undefined
    // a format says it, and a regular expression for it only to a machine
    if (isSchema(value) && value.format !== undefined) delete value.pattern
    return value
  }) as JsonSchema
}

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null

/** The description of the API, made from the very schemas its routes parse and answer with (OpenAPI 3.1). */
export const apiDocument: ApiDocument = {
  openapi: '3.1.0',
  info: { title: 'Ramify', version: '1.0.0', description },
  servers: [{ url: '/' }],
  tags: Object.entries(tags).map(([name, about]) => ({ name, description: about })),
  paths: pathsOf(operations),
  components: {
    schemas: namedSchemas(),
    responses: refusalResponses,
    securitySchemes: {
      key: { type: 'http', scheme: 'bearer', description: 'An API key, `rk_…`' },
      session: { type: 'apiKey', in: 'cookie', name: 'better-auth.session_token' },
      scheduler: { type: 'http', scheme: 'bearer', description: 'The server’s `CRON_SECRET`' },
    },
  },
}
