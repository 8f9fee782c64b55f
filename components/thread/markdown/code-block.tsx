'use client'

import type { ReactNode } from 'react'
import { CopyButton } from '../copy-button'
import { useHighlighted } from './use-highlighted'

/** Longer than the name of any language. */
const longestName = 40

interface CodeBlockProps {
  code: string
  language: string
  /** before the copy button */
  tools?: ReactNode
  /** a sentence above the code */
  note?: string | undefined
  /** stands in the code's place */
  children?: ReactNode
}

/** Colours the lines that a patch adds and removes; their marks stay, for those who see no colours. */
function diffLook(line: string): string {
  if (/^(?:\+\+\+|---|@@|diff |index )/.test(line)) return 'text-faint'
  if (line.startsWith('+')) return 'bg-accent-soft'
  return line.startsWith('-') ? 'bg-danger-soft' : ''
}

export function CodeBlock({ code, language, tools, note, children }: CodeBlockProps) {
  const isDiff = /^(?:diff|patch)$/i.test(language)
  const lines = useHighlighted(code, isDiff ? '' : language)
  return (
    <figure dir="ltr" className="overflow-hidden rounded-lg border border-line bg-surface text-start">
      <figcaption className="flex h-9 items-center justify-between border-line border-b pr-1 pl-3 text-faint text-xs">
        {language.slice(0, longestName) || 'text'}
        <span className="flex items-center">
          {tools}
          <CopyButton label="Copy code" text={code} />
        </span>
      </figcaption>
      {note && (
        <p role="status" className="border-line border-b px-3 py-2 text-muted text-sm">
          {note}
        </p>
      )}
      {children || (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <pre tabIndex={0} className="max-h-[32rem] overflow-auto p-3 font-mono text-sm leading-[1.6]">
          <code>
            {isDiff
              ? code.split('\n').map((line, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
                  <span key={at} className={`-mx-3 block min-h-[1lh] px-3 ${diffLook(line)}`}>
                    {line}
                    {'\n'}
                  </span>
                ))
              : lines
                ? lines.map((tokens, line) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: lines and tokens have no other identity
                    <span key={line} className="block min-h-[1lh]">
                      {tokens.map(({ text, style }, at) => (
                        // biome-ignore lint/suspicious/noArrayIndexKey: see above
                        <span key={at} className="token" style={style}>
                          {text}
                        </span>
                      ))}
                    </span>
                  ))
                : code}
          </code>
        </pre>
      )}
    </figure>
  )
}
