import { Children, type ComponentProps, isValidElement, type ReactNode } from 'react'
import type { Components } from 'streamdown'
import { CodeBlock } from './code-block'
import { safeImage, safeLink } from './safe-url'

type Props<Tag extends 'a' | 'img' | 'pre' | 'table'> = ComponentProps<Tag> & { node?: unknown }

function Link({ href, children }: Props<'a'>) {
  const to = safeLink(href)
  if (to === null) return <span>{children}</span>
  return (
    <a href={to} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  )
}

/** An image of another server is named, never loaded: loading it would tell that server who reads what. */
function Image({ src, alt }: Props<'img'>) {
  const from = safeImage(src)
  if (from === null) return <span className="text-muted">[Image not loaded{alt && `: ${alt}`}]</span>
  // biome-ignore lint/performance/noImgElement: next/image would fetch it through the server
  return <img src={from} alt={alt ?? ''} loading="lazy" decoding="async" />
}

function Pre({ children }: Props<'pre'>) {
  const code = Children.toArray(children).find((child) =>
    isValidElement<{ className?: string; children?: ReactNode }>(child),
  )
  if (!isValidElement<{ className?: string; children?: ReactNode }>(code)) return <pre>{children}</pre>
  const language = /language-([^\s]+)/.exec(code.props.className ?? '')?.[1] ?? ''
  return <CodeBlock code={textOf(code.props.children).replace(/\n$/, '')} language={language} />
}

function Table({ children }: Props<'table'>) {
  return (
    <div className="overflow-x-auto">
      <table>{children}</table>
    </div>
  )
}

const textOf = (children: ReactNode): string =>
  Children.toArray(children)
    .map((child) => (typeof child === 'string' ? child : ''))
    .join('')

/** Plain elements, styled by `.reading`. An element that is not listed here brings Streamdown's own looks. */
const plain =
  'h1 h2 h3 h4 h5 h6 p ul ol li hr thead tbody tr th td blockquote section code strong sup sub'.split(' ')

export const markdownParts: Components = {
  ...Object.fromEntries(plain.map((tag) => [tag, tag])),
  a: Link,
  img: Image,
  pre: Pre,
  table: Table,
}

export const streamed = {
  className: 'reading caret-last',
  mode: 'streaming',
  dir: 'auto',
  controls: false,
  linkSafety: { enabled: false },
} as const

/** A text that does not grow is parsed at once, without cutting it into blocks first. */
export const whole = {
  ...streamed,
  className: 'reading',
  mode: 'static',
  parseMarkdownIntoBlocksFn: (text: string) => [text],
} as const
