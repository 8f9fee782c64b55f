'use client'

import type { ComponentProps } from 'react'
import { type Components, Streamdown } from 'streamdown'
import { drawFormulas, hideFormulas } from '@/components/thread/markdown/formulas'
import { markdownParts, whole } from '@/components/thread/markdown/markdown-parts'
import { type Marking, markWords } from './mark-words'

/** A reply as the thread shows it, with the words marked that the other side does not have. A formula with marks is its source. */
export default function MarkedMarkdown({ text, marking }: { text: string; marking: Marking }) {
  return (
    <Streamdown {...whole} components={parts} rehypePlugins={[[markWords, marking], drawFormulas]}>
      {hideFormulas(text)}
    </Streamdown>
  )
}

/** Code without colours, which would be lost among the marks. */
function Code({ children }: ComponentProps<'pre'> & { node?: unknown }) {
  return (
    <pre
      dir="ltr"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className="max-h-[32rem] overflow-auto rounded-lg border border-line bg-surface p-3 text-start font-mono text-sm leading-[1.6]"
    >
      {children}
    </pre>
  )
}

const parts: Components = { ...markdownParts, pre: Code, ins: 'ins', del: 'del' }
