import type { ImportChoice, ImportPreview, PreviewedChat } from '@/lib/protocol'

/** A file that was looked at, and the chats of it that are chosen. */
export interface LookedAt {
  file: File
  preview: ImportPreview
  /** ids of chats */
  chosen: ReadonlySet<string>
  /** the chats below the listed ones are meant too */
  withRest: boolean
}

/** The choice at first: chats that are not here already. */
export const lookedAt = (file: File, preview: ImportPreview): LookedAt => ({
  file,
  preview,
  chosen: new Set(preview.chats.flatMap(({ id, standing }) => (standing === 'here' ? [] : [id]))),
  withRest: preview.rest,
})

/** A choice as the server takes it; undefined: the whole file. Null: nothing of it. */
export function choiceOf({
  preview: { chats },
  chosen,
  withRest,
}: LookedAt): ImportChoice | undefined | null {
  const left = chats.flatMap(({ id }) => (chosen.has(id) ? [] : [id]))
  if (withRest) return left.length === 0 ? undefined : { except: left }
  if (chosen.size === 0) return null
  return left.length === 0 ? undefined : { only: [...chosen] }
}

/** The filter of a preview. */
export interface Shown {
  words: string
  /** a day, like 2026-03-14: something was said on it or later */
  since: string
  isNews: boolean
}

/** The chats that are shown: with these words in the title, said since a day, with something new. */
export function shownOf(chats: readonly PreviewedChat[], { words, since, isNews }: Shown): PreviewedChat[] {
  const wanted = words.trim().toLocaleLowerCase()
  return chats.filter(
    ({ title, to, standing }) =>
      (wanted === '' || title.toLocaleLowerCase().includes(wanted)) &&
      (since === '' || (to !== null && to.slice(0, 10) >= since)) &&
      !(isNews && standing === 'here'),
  )
}
