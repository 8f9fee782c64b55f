import path from 'node:path'
import { expect, test } from 'vitest'
import type { MediaType, OperationObject, ResponseObject } from '@/lib/server/api/document'
import { apiDocument } from '@/lib/server/api/openapi'
import type { Handler } from '@/lib/server/api/operation'
import { repoRoot } from '@/testing/runner/repo-root'
import { DescribedApi } from '@/testing/worlds/described-api'

const api = new DescribedApi(apiDocument)

const operations = Object.entries(apiDocument.paths).flatMap(([address, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${address}`,
    address,
    operation,
  })),
)

/** Every answer of every operation that has an example, with it. */
const examples = operations.flatMap(({ name, operation }) => {
  const request = operation.requestBody ? [['request', operation.requestBody.content] as const] : []
  const answers = Object.entries(operation.responses).map(
    ([status, response]) => [status, ('$ref' in response ? undefined : response.content) ?? {}] as const,
  )
  return [...request, ...answers].flatMap(([place, content]) =>
    Object.values<MediaType>(content).flatMap(({ schema, example, examples: several = {} }) =>
      [...(example === undefined ? [] : [example]), ...Object.values(several).map(({ value }) => value)].map(
        (value) => ({ what: `${name} ${place}`, schema, value }),
      ),
    ),
  )
})

test('given any described operation, then its address is served, with the methods that are described', async () => {
  const served = await Promise.all(
    Object.entries(apiDocument.paths).map(async ([address, described]) => {
      // one file serves all addresses of the identity service
      if (address.startsWith('/api/auth/')) return
      const [, surface = '', ...segments] = address.split('/')
      const route: { OPTIONS: Handler } = await import(
        path.join(repoRoot, 'app', surface, '[[...path]]/route.ts')
      )
      const request = new Request(`http://localhost${address}`, { method: 'OPTIONS' })
      const answer = await route.OPTIONS(request, { params: Promise.resolve({ path: segments }) })
      const methods = Object.keys(described).map((method) => method.toUpperCase())
      const head = methods.includes('GET') ? ['HEAD'] : []
      expect((answer.headers.get('allow') ?? '').split(', ').sort(), address).toEqual(
        [...methods, ...head, 'OPTIONS'].sort(),
      )
    }),
  )
  expect(served.length).toBeGreaterThan(80)
})

test('given any operation, then it has a name of its own, a tag, an answer, and an address that says its parameters', () => {
  const ids = operations.map(({ operation }) => operation.operationId)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { name, address, operation } of operations) {
    const tags = apiDocument.tags.map((tag) => tag.name)
    expect(tags, name).toContain(operation.tags[0])
    const statuses = Object.keys(operation.responses)
    expect(
      statuses.some((status) => status.startsWith('2')),
      name,
    ).toBe(true)
    const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path')
    const inPath = parameters.map((parameter) => `{${parameter.name}}`)
    expect(inPath, name).toEqual(address.match(/\{\w+\}/g) ?? [])
    expect(operation['x-codeSamples'][0]?.source, name).toContain('curl ')
  }
})

test('given an operation that needs a viewer, then the refusal without one is described', () => {
  for (const { name, operation } of operations) {
    expect('401' in operation.responses, name).toBe(operation.security.length > 0)
  }
})

test('given every reference, then it leads somewhere', () => {
  const references = JSON.stringify(apiDocument).match(/"\$ref":"[^"]+"/g) ?? []
  expect(references.length).toBeGreaterThan(50)
  for (const reference of new Set(references)) {
    const [kind = '', id = ''] = reference.slice(8, -1).split('/').slice(2)
    expect(apiDocument.components, reference).toHaveProperty([kind, id])
  }
})

test.each(examples)('given the example of $what, then it is as its schema says', ({ schema, value }) => {
  expect(api.faultsIn(schema, value)).toEqual([])
})

test('given the refusals that many share, then each is a problem document of its status', () => {
  const shared = Object.entries(apiDocument.components.responses)
  const statusOf = (name: string) =>
    operations
      .flatMap(({ operation }) => Object.entries<OperationObject['responses'][string]>(operation.responses))
      .find(([, response]) => '$ref' in response && response.$ref.endsWith(`/${name}`))?.[0]
  for (const [name, response] of shared as [string, ResponseObject][]) {
    const { schema, example } = response.content?.['application/problem+json'] ?? {}
    expect(api.faultsIn(schema, example), name).toEqual([])
    expect(example, name).toMatchObject({ status: Number(statusOf(name)) })
  }
})
