import { z } from 'zod'

type Json = { [key: string]: unknown }

interface Described {
  paths: Record<string, Record<string, { responses: Record<string, Json> } & Json>>
  components: { schemas: Record<string, Json>; responses: Record<string, Json> }
}

/** The promises of an OpenAPI document, to check real answers against. */
export class DescribedApi {
  readonly #document: Described

  constructor(document: unknown) {
    this.#document = document as Described
  }

  /** Every operation, as `GET /api/threads`. */
  operations(): string[] {
    return Object.entries(this.#document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
  }

  /**
   * The faults of an answer: an undescribed operation or status, a field too many, or one that is missing or
   * of another shape. Nothing when it is as promised.
   *
   * @param path with or without a query, and with the ids that were asked for
   */
  faultsOf(method: string, path: string, answer: { status: number; type: string; body: unknown }): string[] {
    const operation = this.#operationAt(method, path)
    if (!operation) return [`${method} ${path} is not described`]
    const response = this.#resolved(operation.responses[answer.status])
    if (!response) return [`${method} ${path} does not describe the status ${answer.status}`]
    const content = (response.content ?? {}) as Record<string, { schema?: Json }>
    const types = Object.keys(content)
    if (types.length === 0) return answer.body === undefined ? [] : ['a body that is not described']
    const type = types.find((known) => answer.type.startsWith(known))
    if (!type) return [`the type ${answer.type}, where ${types.join(' or ')} is described`]
    return this.faultsIn(content[type]?.schema ?? {}, answer.body)
  }

  /** The faults of a value against a schema of the document. */
  faultsIn(schema: unknown, value: unknown): string[] {
    const parsed = z
      .fromJSONSchema(this.#whole(schema) as Parameters<typeof z.fromJSONSchema>[0])
      .safeParse(value)
    return parsed.success
      ? []
      : parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  }

  #operationAt(method: string, address: string) {
    const path = address.split('?')[0] ?? ''
    const matches = (template: string) =>
      new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`).test(path)
    const templates = Object.keys(this.#document.paths)
    const template = templates.find((known) => known === path) ?? templates.find(matches)
    return template === undefined ? undefined : this.#document.paths[template]?.[method.toLowerCase()]
  }

  #resolved(value: Json | undefined): Json | undefined {
    if (typeof value?.$ref !== 'string') return value
    const name = value.$ref.split('/').at(-1) ?? ''
    return value.$ref.includes('/responses/')
      ? this.#document.components.responses[name]
      : this.#document.components.schemas[name]
  }

  /** A schema with what it refers to in place, and closed: an undescribed field is a fault. */
  #whole(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map((part) => this.#whole(part))
    if (typeof schema !== 'object' || schema === null) return schema
    const resolved = this.#resolved(schema as Json)
    if (!resolved) throw new Error(`${JSON.stringify(schema)} leads nowhere`)
    const parts = Object.entries(resolved).map(([key, value]) => [key, this.#whole(value)])
    const closes = resolved.type === 'object' && resolved.properties && !('additionalProperties' in resolved)
    return { ...Object.fromEntries(parts), ...(closes ? { additionalProperties: false } : {}) }
  }
}
