import type { FileFacts } from '../ports'

const endings: Readonly<Record<string, string>> = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/gif': '.gif',
  'image/webp': '.webp',
  'application/pdf': '.pdf',
}

/** The ending that a file's name has for its kind. */
export const fileEnding = ({ mediaType }: FileFacts): string =>
  endings[mediaType] ?? (mediaType.startsWith('text/') ? '.txt' : '')

/** Words as the beginning of a file's name on any system. */
export const slug = (words: string): string => {
  const kept = words
    .normalize()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
  return [...kept].slice(0, 60).join('').replace(/-+$/, '') || 'chat'
}
