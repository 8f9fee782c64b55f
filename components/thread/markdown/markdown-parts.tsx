import { Children, type ComponentProps, createContext, isValidElement, type ReactNode, use } from 'react'
import type { Components, ExtraProps } from 'streamdown'
import { CodeBlock } from './code-block'
import { Diagram } from './diagram'
import { Formula } from './formula'
import { formulaTag } from './formulas'
import { remarkPlugins } from './remark-plugins'
import { safeImage, safeLink } from './safe-url'
import { TableBox } from './table-box'

type Props<Tag extends 'a' | 'img' | 'input' | 'li' | 'pre' | 'table' | 'td' | 'th'> = ComponentProps<Tag> &
  ExtraProps
type HastNode = NonNullable<ExtraProps['node']>

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
  const text = textOf(code.props.children).replace(/\n$/, '')
  if (language.toLowerCase() === 'mermaid') return <Diagram source={text} />
  return <CodeBlock code={text} language={language} />
}

const Table = ({ children }: Props<'table'>) => <TableBox>{children}</TableBox>

/** A cell with a sentence keeps the room to read it: the table scrolls instead. */
const roomy = 32

function cellOf(Tag: 'td' | 'th') {
  return function Cell({ node, ...rest }: Props<'td'> & Props<'th'>) {
    const words = node ? wordsIn(node, []) : ''
    return <Tag {...rest} data-roomy={words.length > roomy || undefined} />
  }
}

/** The words of the task whose box is drawn. */
const TaskWords = createContext('')

function Item({ node, className, children, ...rest }: Props<'li'>) {
  if (!className?.includes('task-list-item')) return <li {...rest}>{children}</li>
  return (
    <li {...rest} className="task">
      <TaskWords value={node ? wordsIn(node, ['ul', 'ol']).trim() : ''}>{children}</TaskWords>
    </li>
  )
}

/** The box of a task, named by its words. A reader cannot tick the tasks of a reply. */
function Box({ checked }: Props<'input'>) {
  return <input type="checkbox" checked={checked ?? false} readOnly disabled aria-label={use(TaskWords)} />
}

function WrittenFormula({ tex, display, source }: Record<string, unknown>) {
  return <Formula tex={String(tex)} display={display === true} source={String(source)} />
}

/** The words of an element, without those of some elements inside it. */
function wordsIn(node: HastNode, without: readonly string[]): string {
  return node.children
    .map((child) => {
      if (child.type === 'text') return child.value
      return child.type === 'element' && !without.includes(child.tagName) ? wordsIn(child, without) : ''
    })
    .join('')
}

const textOf = (children: ReactNode): string =>
  Children.toArray(children)
    .map((child) => (typeof child === 'string' ? child : ''))
    .join('')

/** Plain elements, styled by `.reading`. An element that is not listed here brings Streamdown's own looks. */
const plain = 'h1 h2 h3 h4 h5 h6 p ul ol hr thead tbody tr blockquote section code strong sup sub'.split(' ')

export const markdownParts: Components = {
  ...Object.fromEntries(plain.map((tag) => [tag, tag])),
  a: Link,
  img: Image,
  input: Box,
  li: Item,
  pre: Pre,
  table: Table,
  td: cellOf('td'),
  th: cellOf('th'),
  [formulaTag]: WrittenFormula,
}

export const streamed = {
  remarkPlugins,
  className: 'reading growing',
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
