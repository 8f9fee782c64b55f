'use client'

import { lazy, Suspense } from 'react'
import type { Range } from '@/lib/graph/diff/diff-words'
import { isCostly } from '../chat/markdown-cost'
import { MessageBody } from '../chat/message-body'
import { PlainFallback } from '../chat/plain-fallback'
import { piecesOf } from './mark-words'

const MarkedMarkdown = lazy(() => import('./marked-markdown'))

interface MarkedBodyProps {
  author: string
  text: string
  side: 'left' | 'right'
  /** what this side has alone */
  ranges: readonly Range[]
}

/** The words of a message, with those marked that the other side does not have. */
export function MarkedBody({ author, text, side, ranges }: MarkedBodyProps) {
  if (ranges.length === 0) return <MessageBody author={author} text={text} />
  const tag = side === 'left' ? 'del' : 'ins'
  const plain = <MarkedText text={text} tag={tag} ranges={ranges} />
  if (author !== 'assistant' || isCostly(text)) return plain
  return (
    <PlainFallback fallback={plain}>
      <Suspense fallback={plain}>
        <MarkedMarkdown text={text} marking={{ tag, ranges }} />
      </Suspense>
    </PlainFallback>
  )
}

interface MarkedTextProps {
  text: string
  tag: 'ins' | 'del'
  ranges: readonly Range[]
}

/** Plain text, marked. */
export function MarkedText({ text, tag: Mark, ranges }: MarkedTextProps) {
  return (
    <div dir="auto" className="reading whitespace-pre-wrap">
      {piecesOf(text, ranges).map((piece, at) =>
        piece.marked ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other identity
          <Mark key={at} data-words="">
            {piece.text}
          </Mark>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <span key={at}>{piece.text}</span>
        ),
      )}
    </div>
  )
}
