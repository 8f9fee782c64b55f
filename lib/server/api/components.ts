import 'server-only'
import { z } from 'zod'

/** The shapes that the API's description names. */
export const components = z.registry<{ id: string }>()

/** Gives a shape its name in the API's description. */
export function component<Schema extends z.ZodType>(id: string, schema: Schema): Schema {
  components.add(schema, { id })
  return schema
}
