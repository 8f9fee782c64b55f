import 'server-only'
import { z } from 'zod'
import { namedSchemas } from '@/lib/protocol/fields'
import { allOperations } from '.'
import type { ApiDocument, JsonSchema, OperationObject, Parameter, ResponseObject } from './document'
import { type Description, tags } from './operation'
import { refusalResponses, refusalsOf } from './refusals'

const about = `The HTTP API of Ramify, for scripts and agents.

A thread is a branch of a chat. Everything that happens on it is an event with a number. Commands write to threads, and reads return their events, messages and state. A fork of a thread inherits its events up to one of them, with the context: the model remembers exactly the conversation until then.

Send JSON. Authenticate with the session’s cookie, or with \`Authorization: Bearer\` and an API key; a server that only its own machine reaches, and that has no account, asks for neither there. Every refusal is an \`application/problem+json\` document and changes nothing; a program decides by its \`code\`. What belongs to another person is answered as not found.`

const securities: Record<string, Record<string, string[]>[]> = {
  viewer: [{ key: [] }, { session: [] }],
  session: [{ session: [] }],
  key: [{ key: [] }],
  app: [{ app: [] }],
  anyone: [],
  scheduler: [{ scheduler: [] }],
}

/** Paths that the rewrites of next.config.ts serve without the prefix. */
const HAS_ALIAS = /^\/api(\/(?:commands|threads)\b.*)/

function operationObject(operation: Description): OperationObject {
  const { id, tag, summary, path, asks = 'viewer' } = operation
  const [, alias] = HAS_ALIAS.exec(path) ?? []
  const sentences = [operation.description, alias && `Also served as \`${alias}\`.`].filter(Boolean)
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: sentences.join(' ') || undefined,
    security: securities[asks] ?? [],
    parameters: parametersOf(operation),
    requestBody: bodyOf(operation),
    responses: { ...answersOf(operation), ...refusalsOf(operation) },
    'x-codeSamples': curlsOf(operation).map((source) => ({ lang: 'Shell', label: 'curl', source })),
  }
}

function bodyOf({ input, example, takes, beside }: Description): OperationObject['requestBody'] {
  if (takes === 'file') {
    const file: JsonSchema = { type: 'string', format: 'binary', description: 'The file, with its name' }
    const fields = Object.entries<z.ZodType>(beside?.shape ?? {}).map(([name, field]) => [
      name,
      schemaOf(field),
    ])
    const properties = { file, ...Object.fromEntries(fields) }
    const schema: JsonSchema = { type: 'object', properties, required: ['file'] }
    return { required: true, content: { 'multipart/form-data': { schema } } }
  }
  if (takes === 'pack')
    return { required: true, content: { 'application/x-ndjson': { schema: textShape(true) } } }
  if (!input?.body) return undefined
  const type = takes === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'
  return { required: true, content: { [type]: { schema: schemaOf(input.body), example } } }
}

function parametersOf({ input = {} }: Description): Parameter[] {
  const places = { path: input.params, query: input.query, header: input.headers }
  return Object.entries(places).flatMap(([place, schema]) =>
    Object.entries<z.ZodType>(schema?.shape ?? {}).map(([name, field]): Parameter => {
      const { description, ...type } = schemaOf(field)
      return {
        name,
        in: place as Parameter['in'],
        required: !field.safeParse(undefined).success,
        description,
        schema: type,
      }
    }),
  )
}

/** Several answers of one status are one response, with a content of each type. */
function answersOf({ output, others = [] }: Description): Record<string, ResponseObject> {
  const responses: Record<string, ResponseObject> = {}
  for (const answer of [output, ...others]) {
    const { status = 200, description, type = 'application/json', schema, example } = answer
    const known = responses[status]
    const isBytes = type === 'application/octet-stream' || type === 'application/x-ndjson'
    const shape = schema ? schemaOf(schema) : textShape(isBytes)
    const content =
      schema || example || isBytes ? { ...known?.content, [type]: { schema: shape, example } } : undefined
    responses[status] = {
      description: known ? `${known.description} ${description}` : description,
      content,
    }
  }
  return responses
}

const textShape = (isBytes: boolean): JsonSchema => ({ type: 'string', ...(isBytes && { format: 'binary' }) })

const variables = {
  Thread: '$THREAD',
  Chat: '$CHAT',
  Key: '$KEY_ID',
  App: '$APP',
  File: '$FILE_ID',
  Preset: '$PRESET',
  Share: '$SHARE',
  Member: '$CHAT',
  Invitation: '$INVITATION',
  Proposal: '$PROPOSAL',
  'Tool server': '$SERVER',
  Remote: 'work',
  Replay: '$CHAT',
  Bisect: '$CHAT',
  Session: '$SESSION',
  Passkey: '$PASSKEY',
  Import: '$IMPORT',
  Model: 'demo:demo',
}

/** The operation as lines for a shell that knows `$RAMIFY`, the server, and `$RAMIFY_KEY`: one for each kind of answer. */
function curlsOf(operation: Description): string[] {
  const { method, path, names = 'Chat', input = {}, asks, streams, output, others = [], example } = operation
  const more = streams === 'always' ? [] : others.filter(({ status = 200 }) => status < 300)
  const kinds = new Set([output, ...more].map(({ type }) => type))
  const query = input.query?.shape ?? {}
  const asked = 'q' in query ? '?q=sardines' : 'chat' in query ? '?chat=$CHAT' : ''
  const address = `$RAMIFY${path
    .replace('{id}', variables[names])
    .replace('{provider}', 'openai')
    .replace('{name}', 'work')
    .replace(/\{(\w+)_id\}/, (_, kind: string) => `$${kind.toUpperCase()}`)}${asked}`
  return [...kinds].map((kind) =>
    [
      `curl ${kind === 'text/event-stream' ? '-N ' : kind ? '-OJ ' : ''}${method === 'get' || method === 'post' ? '' : `-X ${method.toUpperCase()} `}"${address}"`,
      ...(asks === undefined || asks === 'key' ? ['-H "Authorization: Bearer $RAMIFY_KEY"'] : []),
      ...(asks === 'scheduler' ? ['-H "Authorization: Bearer $CRON_SECRET"'] : []),
      ...(asks === 'scheduler' && method === 'post' ? ['-X POST'] : []),
      ...(asks === 'session' ? ['-b session.txt'] : []),
      ...(path.startsWith('/api/auth/') ? ['-b session.txt -c session.txt'] : []),
      ...(operation.takes === 'file' ? ["-F 'file=@map.png'"] : []),
      ...(operation.takes === 'pack'
        ? ["-H 'Content-Type: application/x-ndjson'", '--data-binary @chat.pack']
        : []),
      ...(kind && streams === 'on request' ? ["-H 'Accept: text/event-stream'"] : []),
      ...(input.body && operation.takes === 'form' ? [`-d '${new URLSearchParams({ ...example })}'`] : []),
      ...(input.body && operation.takes !== 'form'
        ? ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(example)}'`]
        : []),
    ].join(' \\\n  '),
  )
}

/** A named schema by its name, any other one as it is. */
function schemaOf(schema: z.ZodType): JsonSchema {
  const id = namedSchemas.get(schema)?.id
  return id
    ? { $ref: `#/components/schemas/${id}` }
    : tidy(z.toJSONSchema(schema, { io: 'input' }) as JsonSchema)
}

function schemasByName(): Record<string, JsonSchema> {
  const { schemas } = z.toJSONSchema(namedSchemas, { io: 'input', uri: (id) => `#/components/schemas/${id}` })
  return Object.fromEntries(
    Object.entries(schemas)
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([id, schema]) => [id, tidy(schema as JsonSchema)]),
  )
}

/**
 * Leaves out keys that tell a reader nothing: the dialect of a schema, and the limits of a float that holds
 * an integer.
 */
function tidy(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    const isNoise =
      key === '$schema' ||
      key === '$id' ||
      ((key === 'minimum' || key === 'maximum') && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER)
    if (isNoise) return undefined
    // the regular expression of a format says the same again, for a machine
    if (isSchema(value) && value.format !== undefined) delete value.pattern
    return value
  }) as JsonSchema
}

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null

function pathsOf(operations: readonly Description[]): ApiDocument['paths'] {
  const paths: ApiDocument['paths'] = {}
  for (const operation of operations) {
    const { path, method } = operation
    paths[path] = { ...paths[path], [method]: operationObject(operation) }
  }
  return paths
}

/** The description of the API, made from the records of its operations (OpenAPI 3.1). */
export const apiDocument: ApiDocument = {
  openapi: '3.1.0',
  info: { title: 'Ramify', version: '1.0.0', description: about },
  servers: [{ url: '/' }],
  tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
  paths: pathsOf(allOperations),
  components: {
    schemas: schemasByName(),
    responses: refusalResponses,
    securitySchemes: {
      key: { type: 'http', scheme: 'bearer', description: 'An API key, `rk_…`' },
      app: {
        type: 'http',
        scheme: 'basic',
        description: 'The id and the secret of an app, or its `client_id` in the form',
      },
      session: { type: 'apiKey', in: 'cookie', name: 'better-auth.session_token' },
      scheduler: { type: 'http', scheme: 'bearer', description: 'The server’s `CRON_SECRET`' },
    },
  },
}
