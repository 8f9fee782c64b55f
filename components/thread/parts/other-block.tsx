'use client'

import { Braces, Brain, FileText, Link as LinkIcon } from 'lucide-react'
import type { Block } from '@/components/session/blocks'
import { cn } from '@/components/ui/cn'
import { fileIdOf } from '@/lib/protocol/file-types'
import { safeImage, safeLink } from '../markdown/safe-url'
import { MessageBody } from '../message-body'
import { AddedContext } from './added-context'
import { durationWords } from './duration-words'
import { FlatLine, Fold } from './fold'
import { RawValue } from './raw-value'
import { ToolCall } from './tool-call'

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
      return <Reasoning {...block} id={place.id} />
    case 'tool':
      return <ToolCall {...block} {...place} />
    case 'file':
      return <FileBlock {...block} />
    case 'sources':
      return <Sources {...block} />
    case 'context':
      return <AddedContext id={place.id} added={block.added} />
    case 'other':
      return (
        <Fold id={place.id} Icon={Braces} label={otherName(block.type)}>
          {() => <RawValue title="As the model sent it" value={block.value} />}
        </Fold>
      )
  }
}

function Reasoning({ id, text, ms, streaming }: Pick<Place, 'id'> & BlockOf<'reasoning'>) {
  const label = streaming ? 'Thinking' : ms === undefined ? 'Thought' : `Thought for ${durationWords(ms)}`
  // some models keep their thoughts to themselves
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
    'order-2 inline-flex min-h-8 max-w-full min-w-0 items-center gap-2 self-start rounded-lg border border-line px-2.5 text-sm touch:min-h-11'
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
