/** Tags of one chat, and characters of a tag, at most. */
export const MAX_TAGS = 20
export const MAX_TAG = 40

/** A tag as it is stored: composed, without space around it and with single spaces inside. */
export const normalTag = (tag: string): string => tag.normalize('NFC').trim().replaceAll(/\s+/g, ' ')

/** Key that all spellings of one tag share. */
export const tagKey = (tag: string): string => normalTag(tag).toLowerCase()

/** The spelling of each tag by its key; of two spellings of one tag the first. */
export function keyedTags(tags: readonly string[]): Record<string, string> {
  const keyed = new Map<string, string>()
  for (const tag of tags) if (!keyed.has(tagKey(tag))) keyed.set(tagKey(tag), normalTag(tag))
  return Object.fromEntries(keyed)
}
