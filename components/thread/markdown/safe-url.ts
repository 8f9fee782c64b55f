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

/** The address of an image that can be shown without asking another server: our own files and inline data. */
export function safeImage(src: unknown): string | null {
  if (typeof src !== 'string') return null
  if (/^data:image\/(png|jpe?g|gif|webp|avif);base64,/i.test(src)) return src
  // one slash: two would name another host, and a browser reads a backslash as a slash
  return /^\/(?![/\\])/.test(src) && !/[\t\n\r\\]/.test(src) ? src : null
}
