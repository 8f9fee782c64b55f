'use client'

import { memo } from 'react'
import { Streamdown } from 'streamdown'
import { drawFormulas, hideFormulas } from './formulas'
import { markdownParts, streamed, whole } from './markdown-parts'

/** Markdown without raw HTML (it is shown as text), remote images, or links that run anything. */
function Markdown({ text, streaming }: { text: string; streaming: boolean }) {
  return (
    <Streamdown
      {...(streaming ? streamed : whole)}
      components={markdownParts}
      // without rehype-raw, Streamdown turns HTML into text
      rehypePlugins={plugins}
    >
      {hideFormulas(text.replace(/^\n+/, ''), streaming)}
    </Streamdown>
  )
}

const plugins = [drawFormulas]

export default memo(Markdown)
