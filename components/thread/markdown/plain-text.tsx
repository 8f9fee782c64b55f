'use client'

import { useId, useState } from 'react'
import { Button } from '@/components/ui/button'
import { withoutSurplusMarks } from '@/components/ui/surplus-marks'
import { breakableParts, isHeavy, piecesToShow, previewOf } from './shown-text'

interface PlainTextProps {
  text: string
  /** why it is plain, where its author meant it to be formatted */
  reason?: string
  /** a stand-in for a text that is drawn in a moment: its length is not shown */
  passing?: boolean
}

/** The words of a message as they were written. A text that is slow to lay out is folded, and laid out in pieces. */
export function PlainText({ text, reason, passing = false }: PlainTextProps) {
  const id = useId()
  const [open, setOpen] = useState(false)
  if (!reason && !passing && !isHeavy(text)) {
    return (
      <div dir="auto" className="reading whitespace-pre-wrap">
        {text}
      </div>
    )
  }
  const preview = previewOf(text)
  const folds = preview.length < text.length
  return (
    <>
      {reason && <p className="pb-2 text-muted text-sm">{reason}</p>}
      <div id={id} className="reading whitespace-pre-wrap [&>*+*]:mt-0">
        <Pieces text={open ? text : folds ? `${preview.trimEnd()} …` : text} />
      </div>
      {folds && !passing && (
        <Button
          size="sm"
          className="mt-2"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          {open ? 'Show less' : `Show all (${text.length.toLocaleString('en')} characters)`}
        </Button>
      )}
    </>
  )
}

/** Each piece is laid out by itself when it comes into sight. */
function Pieces({ text }: { text: string }) {
  return piecesToShow(withoutSurplusMarks(text)).map((piece, at) => (
    <div
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other identity
      key={at}
      dir="auto"
      className="min-h-[1lh] [content-visibility:auto]"
      style={{ containIntrinsicBlockSize: `auto ${linesOf(piece)}lh` }}
    >
      {breakableParts(piece).map((part, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <span key={place}>
          {part}
          <wbr />
        </span>
      ))}
    </div>
  ))
}

/** About how many lines a piece takes in the reading column. */
function linesOf(piece: string): number {
  let lines = 0
  for (const line of piece.split('\n')) lines += Math.max(1, Math.ceil(line.length / 85))
  return lines
}
