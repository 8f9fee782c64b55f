'use client'

import { lazy, Suspense } from 'react'
import { isCostly } from './markdown-cost'
import { PlainFallback } from './plain-fallback'

/** Fetches the renderer ahead of the first reply, which would otherwise show its marks for a moment. */
export const loadMarkdown = () => import('./markdown')

const Markdown = lazy(loadMarkdown)

interface MessageBodyProps {
  author: string
  text: string
  streaming?: boolean
}

/**
 * The words of a message: what a person wrote as it was written, a reply as Markdown. A reply the renderer cannot
 * cope with is shown as plain text, and nothing else on the page suffers.
 */
export function MessageBody({ author, text, streaming = false }: MessageBodyProps) {
  const plain = <PlainText text={text} />
  if (author !== 'assistant' || isCostly(text)) return plain
  return (
    <PlainFallback key={streaming ? 'live' : 'done'} fallback={plain}>
      <Suspense fallback={plain}>
        <Markdown text={text} streaming={streaming} />
      </Suspense>
    </PlainFallback>
  )
}

function PlainText({ text }: { text: string }) {
  return (
    <div dir="auto" className="reading whitespace-pre-wrap">
      {text}
    </div>
  )
}
