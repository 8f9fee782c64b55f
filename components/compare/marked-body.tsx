'use client'

import { deferred } from '@/components/app/deferred'
import { MarkedWords } from '@/components/app/marked-words'
import { PlainFallback } from '@/components/thread/markdown/plain-fallback'
import { PlainText } from '@/components/thread/markdown/plain-text'
import { isHeavy } from '@/components/thread/markdown/shown-text'
import { MessageBody, tooMuch } from '@/components/thread/message-body'
import type { Range } from '@/lib/graph/diff/diff-words'
import { isCostly } from '@/lib/markdown/markdown-cost'
import type { Marking } from './mark-words'

const MarkedMarkdown = deferred(() => import('./marked-markdown'), { keepsFallback: 'told' })

interface MarkedBodyProps {
  author: string
  text: string
  side: 'left' | 'right'
  /** the parts this side has alone */
  ranges: readonly Range[]
}

/** The words of a message, with those marked that the other side does not have. */
export function MarkedBody({ author, text, side, ranges }: MarkedBodyProps) {
  if (ranges.length === 0) return <MessageBody author={author} text={text} />
  const tag = side === 'left' ? 'del' : 'ins'
  const plain = <MarkedText text={text} tag={tag} ranges={ranges} />
  if (author !== 'assistant') return plain
  if (isCostly(text)) return <PlainText text={text} reason={tooMuch} />
  return (
    <PlainFallback fallback={plain}>
      <MarkedMarkdown fallback={plain} text={text} marking={{ tag, ranges }} />
    </PlainFallback>
  )
}

/** Why words that differ are not marked. */
const tooLong = 'Shown without marks: the text is too much to draw.'

/** Plain text, marked; a text that takes a browser long to lay out is folded, without marks. */
export function MarkedText({ text, tag, ranges }: Marking & { text: string }) {
  if (isHeavy(text)) return <PlainText text={text} reason={tooLong} />
  return (
    <div dir="auto" className="reading whitespace-pre-wrap">
      <MarkedWords text={text} tag={tag} ranges={ranges} />
    </div>
  )
}
