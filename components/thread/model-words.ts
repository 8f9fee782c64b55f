import { madeOnce } from '@/lib/events/made-once'
import type { OfferedModel } from '@/lib/protocol'
import { takesType } from '@/lib/protocol/file-types'

const count = madeOnce(() => new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 2 }))
const dollars = madeOnce(
  () =>
    new Intl.NumberFormat('en', {
      style: 'currency',
      currency: 'USD',
      minimumFractionDigits: 0,
      maximumFractionDigits: 4,
    }),
)

/** Price of a model: `$2 in, $10 out`, for a million tokens. */
export function priceWords({ price }: Pick<OfferedModel, 'price'>): string {
  if (price === null) return 'price not known'
  if (price.input === 0 && price.output === 0) return 'free'
  return `${dollars().format(price.input)} in, ${dollars().format(price.output)} out`
}

const kinds: Readonly<Record<string, string>> = {
  'image/*': 'images',
  'audio/*': 'audio',
  'video/*': 'video',
  'application/pdf': 'PDF',
}

/** Inputs of a model: `1.05M tokens, images, PDF`; empty where nothing is known. */
export function takesWords({ window, input }: Pick<OfferedModel, 'window' | 'input'>): string {
  const media = input.flatMap((type) => kinds[type] ?? [])
  return [...(window === null ? [] : [`${count().format(window)} tokens`]), ...media].join(', ')
}

/** The first of some media types that a model does not take. */
export const refusedType = (
  { input }: Pick<OfferedModel, 'input'>,
  types: readonly string[],
): string | undefined => types.find((type) => !takesType(input, type))

/** Models under the names of their providers, the favourites first under a name of their own. */
export interface ModelGroup {
  name: string
  models: OfferedModel[]
}

/**
 * The models that have every word of a search in their name, id or provider, grouped in the order they came. A favourite
 * stands only among the favourites.
 */
export function groupModels(
  models: readonly OfferedModel[],
  wanted: string,
  favourites: readonly string[],
): ModelGroup[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean)
  const groups = new Map<string, OfferedModel[]>([['Favourites', []]])
  for (const model of models) {
    const text = `${model.label} ${model.id} ${model.providerName}`.toLowerCase()
    if (!words.every((word) => text.includes(word))) continue
    const name = favourites.includes(model.id) ? 'Favourites' : model.providerName
    groups.set(name, [...(groups.get(name) ?? []), model])
  }
  return [...groups].flatMap(([name, found]) => (found.length > 0 ? [{ name, models: found }] : []))
}
