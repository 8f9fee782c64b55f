'use client'

import { type ComponentProps, type ReactNode, startTransition, use, useEffect, useRef, useState } from 'react'
import { useOnClient } from '@/components/app/use-on-client'
import { Markdown } from './deferred-markdown'

const server = typeof window === 'undefined' ? import('./markdown-html') : null

interface OpeningMarkdownProps extends ComponentProps<typeof Markdown> {
  fallback: ReactNode
}

/** Finds the parts that are more than their HTML: code is coloured and copied, a wide table and a formula scroll. */
const alive = 'figure, table, .formula'

/**
 * Markdown that a page opens with. The server's HTML stays as it is; code is loaded only for what needs it. A Suspense
 * boundary would show the plain words in its place meanwhile, in the browser and in long pages (React sends its content
 * after them).
 */
export function OpeningMarkdown(props: OpeningMarkdownProps) {
  const onClient = useOnClient()
  const [opensWithPage] = useState(!onClient)
  const [loaded, setLoaded] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!opensWithPage || !place.current?.querySelector(alive)) return
    void Markdown.preload().then(() => startTransition(() => setLoaded(true)))
  }, [opensWithPage])
  if (!opensWithPage || loaded) return <Markdown {...props} />
  if (server) {
    const html = use(server).markdownHtml(props.text)
    // biome-ignore lint/security/noDangerouslySetInnerHtml: React has rendered it, from Markdown without HTML
    return html === null ? <div>{props.fallback}</div> : <div dangerouslySetInnerHTML={{ __html: html }} />
  }
  // biome-ignore lint/security/noDangerouslySetInnerHtml: nothing is set, what is there stays
  return <div ref={place} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: '' }} />
}
