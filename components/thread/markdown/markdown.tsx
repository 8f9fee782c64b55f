'use client'

import { memo } from 'react'
import { Streamdown } from 'streamdown'
import { markdownParts, streamed, whole } from './markdown-parts'

/** Markdown without raw HTML (it is shown as text), remote images, or links that run anything. */
function Markdown({ text, streaming }: { text: string; streaming: boolean }) {
  return (
    <Streamdown
      {...(streaming ? streamed : whole)}
      components={markdownParts}
      // without rehype-raw, Streamdown turns HTML into text
      rehypePlugins={noPlugins}
    >
      {text}
    </Streamdown>
  )
}

const noPlugins: [] = []

export default memo(Markdown)
