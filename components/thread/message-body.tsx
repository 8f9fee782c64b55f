'use client'

import { useState } from 'react'
import { budget, MarkdownCost } from '@/lib/markdown/markdown-cost'
import { DrawnLater } from './markdown/drawn-later'
import { OpeningMarkdown } from './markdown/opening-markdown'
import { PlainFallback } from './markdown/plain-fallback'
import { PlainText } from './markdown/plain-text'

/** Why a reply is shown without its formatting. */
export const tooMuch = 'Shown as plain text: its formatting is too much to draw.'

interface MessageBodyProps {
  author: string
  text: string
  streaming?: boolean
  /** the page has enough to draw: this message waits until it is seen */
  later?: boolean
}

/**
 * The words of a message: a person's as they were written, a reply's as Markdown. A reply the renderer cannot
 * handle is shown as plain text, and nothing else on the page suffers.
 */
export function MessageBody({ author, text, streaming = false, later = false }: MessageBodyProps) {
  if (!later) return <Body author={author} text={text} streaming={streaming} />
  return (
    <DrawnLater standIn={<PlainText text={text} passing />}>
      <Body author={author} text={text} streaming={streaming} />
    </DrawnLater>
  )
}

function Body({ author, text, streaming }: Required<Omit<MessageBodyProps, 'later'>>) {
  // a reply that grows is read once, not again with each word
  const [cost] = useState(() => new MarkdownCost())
  if (author !== 'assistant') return <PlainText text={text} />
  if (cost.read(text) > budget) return <PlainText text={text} reason={tooMuch} />
  const plain = <PlainText text={text} />
  return (
    <PlainFallback key={streaming ? 'live' : 'done'} fallback={plain}>
      <OpeningMarkdown fallback={plain} text={text} streaming={streaming} />
    </PlainFallback>
  )
}
