'use client'

import { type CSSProperties, useEffect, useRef, useState } from 'react'
import { withoutCode } from '@/components/app/new-version'

export interface Token {
  text: string
  /** `--token-light` and `--token-dark`: globals.css takes the one of the theme */
  style: CSSProperties
}

/** Longer code, and code in longer lines, stays plain: colouring it would be felt. */
const tooLong = 20_000
const tooWide = 500
/** The characters coloured in one go, before the page has its turn. */
const atOnce = 1500

/** Code in tokens with colours; null until the highlighter, loaded by the first code block, has answered. */
export function useHighlighted(code: string, language: string): Token[][] | null {
  const [result, setResult] = useState<{ code: string; lines: Token[][] } | null>(null)
  const coloured = useRef('')

  useEffect(() => {
    if (language === '' || code.length > tooLong || hasLongLine(code)) return
    let gone = false
    const highlight = async () => {
      const { code: highlighter } = await import('@streamdown/code').catch(withoutCode)
      const name = highlighter.getSupportedLanguages().find((known) => known === language.toLowerCase())
      if (!name) return
      const tokensOf = (part: string) =>
        new Promise<Shiki[][]>((done) => {
          const options = { code: part, language: name, themes, isIncomplete: part !== code }
          const now = highlighter.highlight(options, ({ tokens }) => done(tokens))
          if (now) done(now.tokens)
        })
      // it goes on from the longest beginning it has coloured
      const known = code.startsWith(coloured.current) ? coloured.current.length : 0
      for (const end of steps(code, known)) {
        if (gone) return
        const tokens = await tokensOf(code.slice(0, end))
        coloured.current = code.slice(0, end)
        if (end === code.length && !gone) setResult({ code, lines: tokens.map((line) => line.map(toToken)) })
        await new Promise((done) => setTimeout(done))
      }
    }
    // without colours it reads just as well
    highlight().catch(() => undefined)
    return () => {
      gone = true
    }
  }, [code, language])

  if (!result) return null
  if (result.code === code) return result.lines
  // while code streams in, the coloured part stays and the rest follows plain
  return code.startsWith(result.code) ? [...result.lines, ...rest(code.slice(result.code.length))] : null
}

const themes: ['github-light-high-contrast', 'github-dark-high-contrast'] = [
  'github-light-high-contrast',
  'github-dark-high-contrast',
]

const hasLongLine = (code: string): boolean => code.split('\n').some((line) => line.length > tooWide)

/** Places to pause on the way to the end of some code: at line ends. */
function* steps(code: string, from: number): Generator<number> {
  for (let at = code.indexOf('\n', from + atOnce); at >= 0; at = code.indexOf('\n', at + atOnce)) yield at + 1
  yield code.length
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
