'use client'

import { memo } from 'react'
import { Streamdown } from 'streamdown'
import { markdownParts } from './markdown-parts'

interface MarkdownProps {
  text: string
  streaming: boolean
}

/** Markdown without raw HTML (it is shown as text), remote images, or links that run anything. */
function Markdown({ text, streaming }: MarkdownProps) {
  return (
    <Streamdown
      className={streaming ? 'reading caret-last' : 'reading'}
      mode={streaming ? 'streaming' : 'static'}
      {...(!streaming && { parseMarkdownIntoBlocksFn: asOneBlock })}
      dir="auto"
      controls={false}
      linkSafety={noQuestions}
      components={markdownParts}
      rehypePlugins={noPlugins}
    >
      {text}
    </Streamdown>
  )
}

// a whole text is parsed at once, without cutting it into blocks first
const asOneBlock = (text: string) => [text]
const noQuestions = { enabled: false }
// without rehype-raw, Streamdown turns HTML into text
const noPlugins: [] = []

export default memo(Markdown)
