const IRREGULAR: [singular: string, plural: string][] = [
  ['person', 'people'],
  ['child', 'children'],
  ['criterion', 'criteria'],
  ['analysis', 'analyses'],
  ['cache', 'caches'],
  ['cookie', 'cookies'],
  ['movie', 'movies'],
  ['status', 'statuses'],
  ['alias', 'aliases'],
]
const RULES_TO_PLURAL: [RegExp, string][] = [
  [/([^aeiou])y$/i, '$1ies'],
  [/(s|x|z|ch|sh)$/i, '$1es'],
  [/$/, 's'],
]
const RULES_TO_SINGULAR: [RegExp, string][] = [
  [/([^aeiou])ies$/i, '$1y'],
  [/(ss|x|ch|sh)es$/i, '$1'],
  [/([^sui])s$/i, '$1'],
]
const UNCOUNTABLE = /(series|species|news|data)$/i

/**
 * The English plural that names a group: `term` → `terms`, `memory` → `memories`, `styleGuide` → `styleGuides`.
 * A word that is plural already stays as it is. Enough for tag names, no more.
 */
export function plural(name: string): string {
  if (UNCOUNTABLE.test(name) || singular(name) !== name) return name
  return swapEnding(name, IRREGULAR) ?? applyFirst(RULES_TO_PLURAL, name)
}

/** The singular that names an item of a list: `steps` → `step`. A word that is not plural stays as it is. */
export function singular(name: string): string {
  if (UNCOUNTABLE.test(name)) return name
  const swapped: [string, string][] = IRREGULAR.map(([one, many]) => [many, one])
  return swapEnding(name, swapped) ?? applyFirst(RULES_TO_SINGULAR, name)
}

function swapEnding(name: string, pairs: [from: string, to: string][]): string | undefined {
  const pair = pairs.find(([from]) => name.toLowerCase().endsWith(from))
  return pair && name.slice(0, name.length - pair[0].length) + pair[1]
}

function applyFirst(rules: [RegExp, string][], name: string): string {
  const rule = rules.find(([pattern]) => pattern.test(name))
  return rule ? name.replace(rule[0], rule[1]) : name
}
