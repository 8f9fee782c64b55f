import { isFileUrl } from '@/lib/protocol/file-types'

/** The address of a link a model wrote, if it may be followed: web pages and mail, nothing that runs. */
export function safeLink(href: unknown): string | null {
  if (typeof href !== 'string') return null
  if (href.startsWith('#')) return href
  try {
    const { protocol, href: full } = new URL(href)
    return ['http:', 'https:', 'mailto:'].includes(protocol) ? full : null
  } catch {
    return null
  }
}

/**
 * The address of a file that can be shown without asking another server: a stored file, or inline data. Other addresses of
 * this server are none: to draw one as a picture would have each reader's browser ask for it.
 */
export function safeImage(src: unknown): string | null {
  if (typeof src !== 'string') return null
  if (/^data:image\/(png|jpe?g|gif|webp|avif);base64,/i.test(src)) return src
  return isFileUrl(src) ? src : null
}
