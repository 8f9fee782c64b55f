'use client'

import { type CSSProperties, useEffect, useState } from 'react'

export interface Token {
  text: string
  /** `--token-light` and `--token-dark`: globals.css takes the one of the theme */
  style: CSSProperties
}

/** Colouring this much would be felt; longer code stays plain. */
const tooLong = 20_000

/** Code in tokens with colours; null until the highlighter, loaded by the first code block, has answered. */
export function useHighlighted(code: string, language: string): Token[][] | null {
  const [result, setResult] = useState<{ code: string; lines: Token[][] } | null>(null)

  useEffect(() => {
    if (language === '' || code.length > tooLong) return
    let gone = false
    const show = ({ tokens }: { tokens: Shiki[][] }) => {
      if (!gone) setResult({ code, lines: tokens.map((line) => line.map(toToken)) })
    }
    const highlight = async () => {
      const { code: highlighter } = await import('@streamdown/code')
      const name = highlighter.getSupportedLanguages().find((known) => known === language.toLowerCase())
      if (gone || !name) return
      const done = highlighter.highlight(
        { code, language: name, themes: ['github-light-high-contrast', 'github-dark-high-contrast'] },
        show,
      )
      if (done) show(done)
    }
    // Without colours it reads just as well.
    highlight().catch(() => undefined)
    return () => {
      gone = true
    }
  }, [code, language])

  if (!result) return null
  if (result.code === code) return result.lines
  // While code streams in, what is coloured stays so and the rest follows plain.
  return code.startsWith(result.code) ? [...result.lines, ...rest(code.slice(result.code.length))] : null
}

interface Shiki {
  content: string
  htmlStyle?: Record<string, string>
  color?: string
}

function toToken({ content, htmlStyle, color }: Shiki): Token {
  const light = htmlStyle?.color ?? color
  const dark = htmlStyle?.['--shiki-dark'] ?? light
  return { text: content, style: { '--token-light': light, '--token-dark': dark } as CSSProperties }
}

const rest = (code: string): Token[][] =>
  code
    .replace(/^\n/, '')
    .split('\n')
    .map((text) => [{ text, style: {} }])
