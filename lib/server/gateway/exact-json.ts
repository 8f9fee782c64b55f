import 'server-only'

/** Not in TypeScript's library yet. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }

/**
 * A JSON object that is written again as it was: numbers that JavaScript would round, or write otherwise, stay the texts that
 * they came as.
 */
export const exactly = (json: string): Readonly<Record<string, unknown>> =>
  JSON.parse(json, (_key, value: unknown, { source }: { source?: string } = {}) =>
    typeof value === 'number' && source !== undefined && String(value) !== source ? rawJSON(source) : value,
  )
