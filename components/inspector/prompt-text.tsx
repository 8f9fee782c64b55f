import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { MarkedWords } from '@/components/app/marked-words'
import { LongText } from '@/components/thread/parts/raw-value'
import { cn } from '@/components/ui/cn'
import type { Range } from '@/lib/graph/diff/diff-words'
import { speakerOf } from '@/lib/graph/speaker'
import type { SentPrompt } from '@/lib/protocol'
import { type Change, changeWords, type PromptChanges, type Rewording } from './prompt-changes'
import { entriesOf } from './prompt-words'

interface PromptTextProps {
  prompt: SentPrompt
  /** against another prompt */
  changes: PromptChanges | null
}

/** The system prompt and the messages of a prompt; with `changes`, equal parts are folded. */
export function PromptText({ prompt, changes }: PromptTextProps) {
  const { system, messages, tokens } = prompt
  const words = system ?? 'There is none.'
  return (
    <>
      {changes && (
        <p role="status" className="text-sm">
          {changeWords(changes)}
        </p>
      )}
      {changes?.system ? (
        <Reworded title="System prompt" tokens={tokens.system} now={words} from={changes.system} />
      ) : (
        <Entry title="System prompt" tokens={tokens.system}>
          <LongText className={body} text={words} />
        </Entry>
      )}
      {prompt.tools.length > 0 && (
        <Entry title="Tools" note={`${prompt.tools.length}`} tokens={tokens.tools}>
          <LongText className={body} text={toolsText(prompt.tools)} />
        </Entry>
      )}
      {prompt.compacted && <Cut summary={prompt.compacted.summary} />}
      <ol aria-label="Messages" className="flex flex-col gap-3">
        {(changes?.messages ?? ([{ kind: 'plain', entries: entriesOf(prompt) }] as const)).map(
          (change, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a message of a prompt is its place
            <Changed key={at} change={change} />
          ),
        )}
      </ol>
      {messages.length === 0 && (
        <p className="text-muted text-sm">No message yet: the next one is the first the model reads.</p>
      )}
    </>
  )
}

/** Tools as the model reads of them: name, purpose, and arguments. */
const toolsText = (tools: SentPrompt['tools']): string =>
  tools
    .map(({ name, description, input_schema: schema }) =>
      [name, description, JSON.stringify(schema, null, 2)].filter(Boolean).join('\n'),
    )
    .join('\n\n')

/** Summary of earlier messages, above the messages that the model reads as they are. */
const Cut = ({ summary }: { summary: string }) => (
  <section
    aria-label="Earlier messages"
    className="flex flex-col gap-2 rounded-lg border border-line-strong border-dashed px-3 py-2 text-sm"
  >
    <p className="text-muted">
      {summary === ''
        ? 'The earlier messages no longer fit the model’s window. The next reply begins by summing them up; the conversation keeps them whole.'
        : 'The earlier messages no longer fit the model’s window. The model reads this summary of them; the conversation keeps them whole.'}
    </p>
    {summary !== '' && <LongText className="max-h-64" text={summary} />}
  </section>
)

type Shown = ReturnType<typeof entriesOf>[number]
type ShownChange = Change | { kind: 'plain'; entries: Shown[] }

function Changed({ change }: { change: ShownChange }) {
  switch (change.kind) {
    case 'plain':
      return <Plain entries={change.entries} />
    case 'same':
      return (
        <li>
          <details className="group/same">
            <summary className="flex h-8 w-fit cursor-pointer list-none items-center gap-1.5 rounded-md px-2 text-muted text-sm hover:bg-ink/6 hover:text-ink touch:h-11 [&::-webkit-details-marker]:hidden">
              <ChevronRight size={14} aria-hidden className="group-open/same:rotate-90" />
              {change.entries.length === 1
                ? '1 message is the same'
                : `${change.entries.length} messages are the same`}
            </summary>
            <ol aria-label="The same" className="mt-2 flex flex-col gap-3">
              <Plain entries={change.entries} />
            </ol>
          </details>
        </li>
      )
    case 'changed': {
      const { entry, from } = change
      return (
        <li>
          <Reworded title={speakerOf(entry.role)} tokens={entry.count} now={entry.text} from={from} />
        </li>
      )
    }
    default: {
      const { entry, kind } = change
      const isAdded = kind === 'added'
      return (
        <li>
          <Entry
            title={speakerOf(entry.role)}
            note={isAdded ? 'only here' : 'only in the other'}
            tokens={isAdded ? entry.count : undefined}
            className={isAdded ? 'border-line-strong' : 'border-dashed text-muted'}
          >
            <LongText className={body} text={entry.text} />
          </Entry>
        </li>
      )
    }
  }
}

const Plain = ({ entries }: { entries: readonly Shown[] }) =>
  entries.map(({ role, text, count }, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a message of a prompt is its place
    <li key={at}>
      <Entry title={speakerOf(role)} tokens={count}>
        <LongText className={body} text={text} />
      </Entry>
    </li>
  ))

const body = 'max-h-64 px-3 py-2'

/** A longer text is shown without marks: a browser lays it out in parts. */
const MARKED = 20_000

/** A text and the text in its place in the other prompt. */
function Reworded(props: { title: string; tokens: number | undefined; now: string; from: Rewording }) {
  const { title, tokens, now, from } = props
  const marks = Math.max(now.length, from.before.length) <= MARKED ? from.marks : null
  return (
    <Entry title={title} note="differs" tokens={tokens} className="border-line-strong">
      <div className="grid divide-line max-md:divide-y md:grid-cols-2 md:divide-x">
        <Side title="In the other" text={from.before} tag="del" ranges={marks?.before} />
        <Side title="Here" text={now} tag="ins" ranges={marks?.now} />
      </div>
    </Entry>
  )
}

interface SideProps {
  title: string
  text: string
  tag: 'ins' | 'del'
  ranges: readonly Range[] | undefined
}

function Side({ title, text, tag, ranges }: SideProps) {
  return (
    <figure aria-label={title} className="min-w-0">
      <figcaption className="px-3 pt-2 text-faint text-xs">{title}</figcaption>
      {ranges ? (
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
          tabIndex={0}
          className={cn(
            'overflow-auto whitespace-pre-wrap font-mono text-xs leading-[1.6] [--side:var(--accent)] [overflow-wrap:anywhere]',
            body,
          )}
        >
          <MarkedWords text={text} tag={tag} ranges={ranges} />
        </pre>
      ) : (
        <LongText className={body} text={text} />
      )}
    </figure>
  )
}

interface EntryProps {
  title: string
  note?: string
  tokens: number | undefined
  className?: string
  children: ReactNode
}

function Entry({ title, note, tokens, className, children }: EntryProps) {
  return (
    <figure aria-label={title} className={cn('rounded-lg border', className)}>
      <figcaption className="flex justify-between gap-4 border-line border-b px-3 py-1.5 text-muted text-xs">
        <span>
          <span className="font-medium">{title}</span>
          {note && <span className="text-faint"> · {note}</span>}
        </span>
        {tokens !== undefined && <span className="tabular-nums">{tokens.toLocaleString('en')} tokens</span>}
      </figcaption>
      {children}
    </figure>
  )
}
