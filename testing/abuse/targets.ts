import { readFileSync } from 'node:fs'
import path from 'node:path'
import { repoRoot } from '@/testing/runner/repo-root'
import { ask } from './attack'
import type { Belongings, Kind } from './belongings'

/** One thing that a server can be asked for, as an honest client asks. Names in braces stand for ids of that kind. */
export interface Target {
  method: string
  path: string
  headers: Readonly<Record<string, string>>
  /** what the body says; absent where there is none */
  fields?: object
  /** all fields that the body may have */
  known?: object
  /** how `fields` are sent; JSON unless given */
  form?: 'multipart' | 'urlencoded' | 'action'
  /** brings a key in place of the cookie */
  byKey?: boolean
}

type Schema = {
  [key in 'type' | 'format' | '$ref' | 'const']?: string
} & {
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
}

interface Described {
  paths: Record<string, Record<string, DescribedOperation>>
  components: { schemas: Record<string, Schema> }
}

interface DescribedOperation {
  parameters?: { name: string; in: string; required: boolean; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema; example?: object }> }
  security: Record<string, string[]>[]
}

/** What the scripted provider serves. */
const MODEL = 'openai-compatible:scripted'

/** Which kind of thing the first part of an address names by `{id}`. */
const namedBy: Readonly<Record<string, Kind>> = {
  chats: 'chat',
  chat: 'chat',
  threads: 'thread',
  keys: 'key',
  files: 'file',
  import: 'import',
  shares: 'share',
  'context-presets': 'preset',
  'tool-servers': 'toolServer',
  remotes: 'remote',
  account: 'session',
}

/** Which kind of thing a field names, by its name; the first that fits. */
const kindsOfFields: readonly (readonly [RegExp, Kind])[] = [
  [/message|expectedHead|^at$|^from$|^left$|^right$/i, 'message'],
  [/replay/i, 'replay'],
  [/bisect/i, 'bisect'],
  [/thread|branch/i, 'thread'],
  [/chat/i, 'chat'],
  [/preset/i, 'preset'],
  [/context/i, 'context'],
  [/run_?id/i, 'run'],
  [/file/i, 'file'],
  [/import/i, 'import'],
  [/grant|client/i, 'grant'],
  [/^ids?$/i, 'chat'],
]

const kindOfField = (name: string): Kind | undefined =>
  kindsOfFields.find(([pattern]) => pattern.test(name))?.[1]

/** Everything that a build serves: the operations that it describes, its pages, other routes, actions and tools. */
export async function targetsOf(base: string, owner: Belongings): Promise<Target[]> {
  const described = (await (await fetch(`${base}/api/openapi.json`)).json()) as Described
  const operations = Object.entries(described.paths).flatMap(([address, methods]) =>
    Object.entries(methods).map(([method, operation]) => targetOf(described, address, method, operation)),
  )
  return [
    ...operations,
    // served without the prefix, too
    ...operations
      .filter(({ path }) => /^\/api\/(commands|threads)\b/.test(path))
      .map((target) => ({ ...target, path: target.path.slice('/api'.length) })),
    ...addresses(Object.keys(described.paths)),
    ...actions(),
    ...(await tools(base, owner)),
  ]
}

function targetOf(
  described: Described,
  address: string,
  method: string,
  operation: DescribedOperation,
): Target {
  const { parameters = [], requestBody, security } = operation
  const [, first = ''] = /^\/(?:api|v1)\/([\w-]+)/.exec(address) ?? []
  const filled = address.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (name === 'provider') return 'openai'
    return `{${kindOfAddress(address, name) ?? namedBy[first] ?? 'chat'}}`
  })
  const query = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema }) => `${name}=${String(sampleOf(described, schema, name)).replaceAll(' ', '+')}`)
  const [[type, { schema, example }] = ['', { schema: {}, example: undefined }]] = Object.entries(
    requestBody?.content ?? {},
  )
  const known = sampleOf(described, schema, '') as object
  return {
    method: method.toUpperCase(),
    path: query.length > 0 ? `${filled}?${query.join('&')}` : filled,
    headers: {},
    ...(requestBody && { fields: example ? (named(example) as object) : known, known }),
    ...(type === 'multipart/form-data' && { form: 'multipart' as const }),
    ...(type === 'application/x-www-form-urlencoded' && { form: 'urlencoded' as const }),
    byKey: security.length === 1 && security[0]?.key !== undefined,
  }
}

/** An id in the middle of an address is of the thing that stands before it. */
function kindOfAddress(address: string, name: string): Kind | undefined {
  if (name !== 'id') return kindOfField(name)
  if (address.includes('/passkeys/')) return 'passkey'
  if (address.includes('/grants/')) return 'grant'
  if (address.endsWith('/fork')) return 'shareToken'
  return undefined
}

/** An honest value of a schema: all that it describes, with names in place of ids. */
function sampleOf(described: Described, schema: Schema, name: string, depth = 0): unknown {
  if (schema.$ref !== undefined) {
    const found = described.components.schemas[schema.$ref.split('/').at(-1) ?? '']
    return depth > 8 || !found ? null : sampleOf(described, found, name, depth + 1)
  }
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const [one] = schema.anyOf ?? schema.oneOf ?? []
  if (one) return sampleOf(described, one, name, depth + 1)
  if (schema.properties) {
    const wanted = Object.entries(schema.properties)
    return Object.fromEntries(wanted.map(([key, of]) => [key, sampleOf(described, of, key, depth + 1)]))
  }
  if (schema.type === 'array') return [sampleOf(described, schema.items ?? {}, name, depth + 1)]
  if (schema.type === 'integer' || schema.type === 'number') return 1
  if (schema.type === 'boolean') return true
  if (schema.type === 'object') return {}
  if (schema.format === 'binary') return 'a text to keep'
  const kind = kindOfField(name)
  if (name === 'model') return MODEL
  return kind ? `{${kind}}` : 'a text'
}

/** The same, with names in place of the ids that an example has. */
function named(value: unknown, name = '', depth = 0): unknown {
  if (Array.isArray(value)) return value.map((one) => named(one, name, depth + 1))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, of]) => [key, named(of, key, depth + 1)]))
  if (name === 'model') return MODEL
  const kind = kindOfField(name)
  const isId =
    typeof value === 'string' && (/[\da-f]{8}-[\da-f]{4}-/.test(value) || (name === 'id' && depth === 1))
  return kind && isId ? `{${kind}}` : value
}

/** Pages, and routes that the API does not describe, as the build lists them. */
function addresses(described: readonly string[]): Target[] {
  const listed = Object.values(built<Record<string, string>>('app-path-routes-manifest.json'))
  return [...new Set(listed)]
    .map((address) => address.replace(/\[\[?(?:\.\.\.)?(\w+)\]?\]/g, '{$1}'))
    .filter((address) => !described.includes(address) && !address.startsWith('/_'))
    .map((address) => ({
      method: 'GET',
      path: address
        .replace('{token}', '{shareToken}')
        .replace('/files/{id}', '/files/{file}')
        .replace('{path}', 'no/such')
        .replace('{id}', '{chat}'),
      headers: {},
    }))
}

/** What any action takes: each ignores the fields of the others. */
const argument = {
  chatId: '{chat}',
  branchId: '{thread}',
  messageId: '{message}',
  name: 'a name',
  title: 'a title',
  sourceId: '{thread}',
  targetId: '{thread}',
  agentId: '{thread}',
  messageIds: ['{message}'],
  otherIds: ['{thread}'],
  switchTo: '{thread}',
  models: [MODEL, MODEL],
  contexts: [{}],
  fromId: '{message}',
  context: '{context}',
  expectedHead: '{message}',
  message: { id: '{message}', role: 'user', parts: [{ type: 'text', text: 'Go on.' }] },
  to: 1,
  mode: 'brief',
  brief: 'In short.',
  summary: 'In short.',
  text: 'Go on.',
  replayId: '{replay}',
  action: 'pause',
}

function actions(): Target[] {
  const { node } = built<{ node: Record<string, { workers: Record<string, unknown> }> }>(
    'server/server-reference-manifest.json',
  )
  return Object.entries(node).map(([id, { workers }]) => ({
    method: 'POST',
    path: 'app/(chat)/c/[id]/page' in workers ? '/c/{chat}' : '/',
    headers: { 'Next-Action': id },
    fields: [argument],
    form: 'action' as const,
  }))
}

async function tools(base: string, owner: Belongings): Promise<Target[]> {
  const message = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { Accept: 'application/json, text/event-stream' }
  const { text } = await ask(owner.visitor, `${base}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${owner.ids.secretKey}`, accept: headers.Accept },
    body: JSON.stringify(message('tools/list', {})),
  })
  const { result } = JSON.parse(text) as { result: { tools: { name: string; inputSchema: Schema }[] } }
  const none: Described = { paths: {}, components: { schemas: {} } }
  const calls = result.tools.map(({ name, inputSchema }) => ({
    name,
    arguments: sampleOf(none, inputSchema, ''),
  }))
  return [
    message('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'a', version: '1' },
    }),
    ...['tools/list', 'resources/list', 'resources/templates/list', 'ping'].map((method) =>
      message(method, {}),
    ),
    message('resources/read', { uri: 'ramify://chats/{chat}' }),
    ...calls.map((params) => message('tools/call', params)),
  ].map((fields) => ({ method: 'POST', path: '/mcp', headers, fields, byKey: true }))
}

/** A manifest of the build in this checkout. */
function built<T>(file: string): T {
  return JSON.parse(readFileSync(path.join(repoRoot, '.next', file), 'utf8')) as T
}
