'use client'

import { Braces, Brain, FileText, Link as LinkIcon, Wrench } from 'lucide-react'
import type { Block } from '@/components/session/blocks'
import { cn } from '@/components/ui/cn'
import { fileIdOf } from '@/lib/protocol/file-types'
import { safeImage, safeLink } from '../markdown/safe-url'
import { MessageBody } from '../message-body'
import { FlatLine, Fold } from './fold'
import { RawValue } from './raw-value'

type BlockOf<Kind extends Block['kind']> = Extract<Block, { kind: Kind }>

interface Place {
  /** names the block on the page */
  id: string
  /** more of the message is on its way */
  live: boolean
}

/** A block of a message that is no text: reasoning, a tool call, a file, sources, or what else a provider sends. */
export default function OtherBlock({ block, ...place }: Place & { block: Block }) {
  switch (block.kind) {
    case 'text':
      return null
    case 'reasoning':
      return <Reasoning {...block} {...place} />
    case 'tool':
      return <ToolCall {...block} {...place} />
    case 'file':
      return <FileBlock {...block} />
    case 'sources':
      return <Sources {...block} />
    case 'other':
      return (
        <Fold id={place.id} Icon={Braces} label={otherName(block.type)}>
          {() => <RawValue title="As the model sent it" value={block.value} />}
        </Fold>
      )
  }
}

/** How long something took: `< 0.1 s`, `0.4 s`, `12 s`, `2 min 5 s`. */
function durationWords(ms: number): string {
  if (ms < 50) return '< 0.1 s'
  if (ms < 9950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

function Reasoning({ id, text, ms, streaming }: Place & BlockOf<'reasoning'>) {
  const label = streaming ? 'Thinking' : ms === undefined ? 'Thought' : `Thought for ${durationWords(ms)}`
  // some models keep to themselves what they thought
  if (text === '' && !streaming) return <FlatLine Icon={Brain} label={label} />
  return (
    <Fold id={id} Icon={Brain} label={<span className={streaming ? 'caret' : undefined}>{label}</span>}>
      {() => (
        <div className="text-muted text-sm">
          <MessageBody author="assistant" text={text} streaming={streaming} />
        </div>
      )}
    </Fold>
  )
}

type ToolState = BlockOf<'tool'>['part']['state']

const toolStates: Readonly<Record<ToolState, { words: string; tone?: 'bad' | 'waits' }>> = {
  'input-streaming': { words: 'Running' },
  'input-available': { words: 'Running' },
  'approval-requested': { words: 'Waits for approval', tone: 'waits' },
  'approval-responded': { words: 'Running' },
  'output-available': { words: 'Done' },
  'output-error': { words: 'Failed', tone: 'bad' },
  'output-denied': { words: 'Not allowed', tone: 'waits' },
}

/** A tool that had not answered when its reply ended never will. */
function stateOf(state: ToolState, live: boolean): (typeof toolStates)[ToolState] {
  const known = toolStates[state] ?? { words: state }
  return known.words === 'Running' && !live ? { words: 'No answer', tone: 'bad' } : known
}

function ToolCall({ id, live, part, name, ms }: Place & BlockOf<'tool'>) {
  const { words, tone } = stateOf(part.state, live)
  const note =
    ms === undefined
      ? words
      : part.state === 'output-available'
        ? durationWords(ms)
        : `${words}, ${durationWords(ms)}`
  const input = part.state === 'input-streaming' ? (part.rawInput ?? part.input) : part.input
  return (
    <Fold
      id={id}
      Icon={Wrench}
      label={
        <>
          {part.title ?? 'Used'} <code className="font-mono text-xs">{name}</code>
        </>
      }
      note={note}
      {...(tone && { tone })}
    >
      {() => (
        <div className="flex flex-col gap-2">
          {input !== undefined && <RawValue title="Arguments" value={input} />}
          {part.state === 'output-available' && <RawValue title="Result" value={part.output} />}
          {part.state === 'output-error' && <RawValue title="Why it failed" value={part.errorText} />}
        </div>
      )}
    </Fold>
  )
}

function FileBlock({ part }: BlockOf<'file'>) {
  const name = ('filename' in part && part.filename) || `A file (${part.mediaType})`
  const image = part.mediaType.startsWith('image/') ? safeImage(part.url) : null
  if (image !== null) {
    const picture = (
      // biome-ignore lint/performance/noImgElement: next/image takes neither inline data nor files behind a session
      <img
        src={image}
        alt={name}
        className={cn(
          'max-w-full self-start rounded-lg border border-line object-contain',
          // beside others in what a person said
          fileIdOf(image) === undefined ? 'max-h-96' : 'max-h-64',
        )}
      />
    )
    // a browser opens no page of inline data
    if (image.startsWith('data:')) return picture
    return (
      <a href={image} target="_blank" rel="noreferrer noopener" title={`Open ${name}`} className="w-fit">
        {picture}
      </a>
    )
  }
  const chip =
    'inline-flex min-h-8 max-w-full min-w-0 items-center gap-2 self-start rounded-lg border border-line px-2.5 text-sm touch:min-h-11'
  const own = /^data:[^,]*;base64,/i.test(part.url) ? part.url : safeImage(part.url)
  const away = own === null && /^https?:/i.test(part.url) ? safeLink(part.url) : null
  const face = (
    <>
      <FileText size={14} aria-hidden className="shrink-0 text-muted" />
      <bdi className="min-w-0 truncate">{name}</bdi>
    </>
  )
  if (own === null && away === null) return <span className={chip}>{face}</span>
  // a file elsewhere is not downloaded by a link: it opens beside the chat
  const goes = own === null ? { href: away ?? '', target: '_blank' } : { href: own, download: name }
  return (
    <a {...goes} rel="noreferrer noopener" className={`${chip} hover:bg-ink/4`}>
      {face}
    </a>
  )
}

function Sources({ parts }: BlockOf<'sources'>) {
  return (
    <section aria-label="Sources" className="flex flex-col gap-1 text-sm">
      <h3 className="text-faint text-xs">Sources</h3>
      <ol className="flex flex-wrap gap-x-4 gap-y-1">
        {parts.map((part, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: providers give one id to several
          <li key={at} className="flex min-w-0 items-center gap-1.5">
            {part.type === 'source-url' ? (
              <>
                <LinkIcon size={12} aria-hidden className="shrink-0 text-faint" />
                <SourceLink url={part.url} title={part.title} />
              </>
            ) : (
              <>
                <FileText size={12} aria-hidden className="shrink-0 text-faint" />
                <bdi className="min-w-0 truncate">{part.title || part.filename}</bdi>
              </>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

function SourceLink({ url, title }: { url: string; title: string | undefined }) {
  const href = safeLink(url)
  const words = <bdi className="min-w-0 truncate">{title || url}</bdi>
  if (href === null) return words
  return (
    <a
      href={href}
      target="_blank"
      rel="noreferrer noopener"
      className="min-w-0 truncate underline underline-offset-2"
    >
      {words}
    </a>
  )
}

/** `data-weather` → `weather`: the part's own name, where it has one. */
const otherName = (type: string): string => type.replace(/^data-/, '')
