const named =
  /\b(?:my (?:first |full |real |new )?name(?:'s|’s| is| was| =|:)|(?:please |you can |just )?call me)\s+(.+)$/i
const introduced =
  /^(?:(?:hi|hello|hey|there|well|so|ok|okay|yes|no|sorry|and|actually|now|good (?:morning|evening|day|afternoon))[,!.\s]+)*(?:i am|i'm|i’m|im|this is)\s+(.+)$/i
const afterName =
  /[,;:!?()"“”]|\.(?:\s|$)|\s(?:and|but|from|who|what|where|when|how|so|by the way|btw|because|as|if|instead|please|now|again)\b/i
const noName = new Set(
  (
    'a an the not no so very too just also really quite still already never always only from in at on here there fine good ' +
    'well ok okay great bad better tired bored excited confused interested worried scared married retired stuck lost done ' +
    'ready back home hungry thirsty happy sad sorry sure afraid glad new old young sick ill busy free late early alone ' +
    'curious serious right wrong aware able unable about above after against under over with without what who how why when ' +
    'where my your his her our their it this that these those me you him us them all both some any one two three trying ' +
    'allergic vegetarian vegan single blind deaf left-handed angry cold hot nervous proud lucky later something nothing ' +
    'testing open out up down off away asking impressed surprised convinced pleased'
  ).split(' '),
)

/** The name a clause states, as it was written, or nothing. `I am tired` states none. */
export function nameIn(clause: string): string | undefined {
  const given = named.exec(clause)?.[1]
  if (given !== undefined) return nameFrom(given, 4)
  const claimed = introduced.exec(clause)?.[1]
  if (claimed === undefined) return undefined
  // Without "my name is", several lower-case words are a description and not a name.
  return nameFrom(claimed, /^\p{Lu}/u.test(claimed) ? 4 : 1)
}

function nameFrom(text: string, maxWords: number): string | undefined {
  const name = (text.split(afterName, 1)[0] ?? '').trim()
  const words = name.split(/\s+/)
  const first = words[0] ?? ''
  if (!/^\p{L}[\p{L}\p{M}'’.-]*$/u.test(first) || words.length > maxWords || name.length > 80)
    return undefined
  if (noName.has(first.toLowerCase())) return undefined
  const described = /(?:ing|ful|less|ous|able|ible)$/.test(first) && first === first.toLowerCase()
  return described && maxWords === 1 ? undefined : name
}
