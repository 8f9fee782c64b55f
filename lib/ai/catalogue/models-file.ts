import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { ModelSettingError } from '../model-errors'
import type { ModelFacts } from './model-facts'

const amount = z.number().nonnegative().finite()

/**
 * An operator's facts of a model. A key that is left out keeps the value of the table; null says that it is not
 * known.
 */
const correction = z.strictObject({
  name: z.string().trim().min(1).max(100).optional(),
  window: z.int().positive().nullable().optional(),
  input: z
    .array(z.string().regex(/^[a-z]+\/[\w.+*-]+$/, 'must be a media type like image/*'))
    .min(1)
    .optional(),
  tools: z.boolean().nullable().optional(),
  reasoning: z.boolean().nullable().optional(),
  price: z
    .strictObject({
      input: amount,
      output: amount,
      cached: amount.nullable().default(null),
      cache_write: amount.optional(),
    })
    .nullable()
    .optional(),
})

const id = z.string().regex(/^[a-z-]+:.+$/s, 'must be an id like openai:gpt-5.5')

const modelsFile = z.strictObject({ models: z.record(id, correction) })

/** Corrections by model id. */
export type Corrections = Readonly<Record<string, z.output<typeof correction>>>

/**
 * The corrections of the file that RAMIFY_MODELS_FILE names; none where it names none.
 *
 * @throws ModelSettingError, one line with the path and the reason, for a file that is missing or not of this form
 */
export function readModelsFile(path: string | undefined): Corrections {
  if (path === undefined) return {}
  const refuse = (reason: string) => new ModelSettingError('RAMIFY_MODELS_FILE', `${path}: ${reason}`)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw refuse(code === 'ENOENT' ? 'there is no such file' : `cannot be read (${code})`)
  }
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw refuse(`is not JSON (${(error as Error).message.slice(0, 120)})`)
  }
  const parsed = modelsFile.safeParse(json)
  if (parsed.success) return parsed.data.models
  const [issue] = parsed.error.issues
  throw refuse(`${issue?.path.join('.') || 'the file'}: ${issue?.message ?? 'is wrong'}`)
}

/** Facts with an operator's corrections. */
export function corrected(facts: ModelFacts, by: Corrections[string] | undefined): ModelFacts {
  if (!by) return facts
  const { name: _name, ...given } = by
  const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  return { ...facts, ...said }
}
