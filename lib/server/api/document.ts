import 'server-only'
import type { z } from 'zod'

// The parts of OpenAPI 3.1 that the description of the API uses.

export interface JsonSchema extends z.core.JSONSchema.JSONSchema {
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: JsonSchema
}

export interface MediaType {
  schema?: JsonSchema
  example?: unknown
  examples?: Record<string, { value: unknown }>
}

export interface ResponseObject {
  description: string
  headers?: Record<string, { description: string; schema: JsonSchema }>
  content?: Record<string, MediaType>
}

export interface OperationObject {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  security: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?:
    | {
        required: true
        content: Partial<
          Record<
            | 'application/json'
            | 'multipart/form-data'
            | 'application/x-www-form-urlencoded'
            | 'application/x-ndjson',
            MediaType
          >
        >
      }
    | undefined
  responses: Record<string, ResponseObject | { $ref: string }>
  'x-codeSamples': { lang: 'Shell'; label: 'curl'; source: string }[]
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

export interface ApiDocument {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Partial<Record<Method, OperationObject>>>
  components: {
    schemas: Record<string, JsonSchema>
    responses: Record<string, ResponseObject>
    securitySchemes: Record<string, object>
  }
}
