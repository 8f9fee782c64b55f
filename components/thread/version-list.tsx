'use client'

import { Check, GitBranch } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { getJson } from '@/components/app/api'
import { useApp } from '@/components/app/app-context'
import { useLaneStyle } from '@/components/app/lane'
import { plainPreview } from '@/components/app/plain-preview'
import { ageWords } from '@/components/app/time-words'
import { useChatTools } from '@/components/session/chat-context'
import type { Version } from '@/components/session/version-list'
import { cn } from '@/components/ui/cn'
import type { MessageId } from '@/lib/events'
import type { ThreadWindow } from '@/lib/protocol'
import { modelName } from './facts'

interface VersionListProps {
  /** the version being read */
  id: MessageId
  onOpen(id: MessageId): void
}

/** The versions of a message: first words, branch, model, age. The one being read has the focus. */
export default function VersionList({ id, onOpen }: VersionListProps) {
  const laneStyle = useLaneStyle()
  const { models } = useApp()
  const { versionList } = useChatTools()
  const versions = versionList(id)
  const writers = useWriters(versions)
  const list = useRef<HTMLOListElement>(null)

  useEffect(() => {
    list.current?.querySelector<HTMLElement>('[aria-current]')?.focus()
  }, [])

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const rows = [...event.currentTarget.querySelectorAll('button')]
    const at = rows.findIndex((row) => row.matches(':focus'))
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    rows[Math.max(0, Math.min(rows.length - 1, to))]?.focus()
  }

  return (
    <ol ref={list} onKeyDown={onKeyDown} className="min-h-0 overflow-y-auto p-1">
      {versions.map(({ node, branch }, at) => {
        const isHere = node.id === id
        const model = writers.get(node.id)
        return (
          <li key={node.id}>
            <button
              type="button"
              aria-current={isHere || undefined}
              onClick={() => onOpen(node.id)}
              className={cn(
                'grid w-full grid-cols-[1.25rem_1fr_1rem] gap-x-2 rounded-md px-2 py-2 text-start outline-offset-[-2px]',
                'hover:bg-ink/6 focus-visible:bg-ink/6',
                isHere && 'bg-accent-soft/60',
              )}
            >
              <span className="pt-px text-faint text-xs tabular-nums leading-5">{at + 1}</span>
              <span className="min-w-0">
                <bdi className="line-clamp-2 text-ink text-sm">{plainPreview(node.preview) || '…'}</bdi>
                <span className="flex min-w-0 items-center gap-1.5 pt-0.5 text-faint text-xs">
                  {branch && (
                    <span className="flex min-w-0 items-center gap-1 text-muted" style={laneStyle(node.lane)}>
                      <GitBranch size={12} aria-hidden className="shrink-0 text-(--lane)" />
                      <bdi className="truncate">{branch.title}</bdi>
                    </span>
                  )}
                  {model && <span className="max-w-2/5 shrink-0 truncate">· {modelName(models, model)}</span>}
                  <span className="shrink-0">· {ageWords(node.createdAt, Date.now())}</span>
                  {node.status !== 'done' && <span className="shrink-0 text-warn">· {node.status}</span>}
                </span>
              </span>
              {isHere && <Check size={14} aria-label="Here" className="mt-1 text-accent" />}
            </button>
          </li>
        )
      })}
    </ol>
  )
}

/** Names that the graph leaves out are asked for when a list opens, of so many versions at most. */
const mostAsked = 12

/** The model of each version's reply, as far as it is known by now. */
function useWriters(versions: readonly Version[]): ReadonlyMap<MessageId, string> {
  const { api } = useApp()
  const [writers, setWriters] = useState<ReadonlyMap<MessageId, string>>(new Map())
  const asked = versions
    .slice(-mostAsked)
    .flatMap(({ node, replyUrl }) => (replyUrl === null ? [] : [`${node.id} ${replyUrl}`]))
    .join('\n')

  useEffect(() => {
    const gone = new AbortController()
    for (const line of asked.split('\n').filter(Boolean)) {
      const [id = '', url = ''] = line.split(' ')
      const take = ({ messages }: ThreadWindow) => {
        const model = messages.at(-1)?.metadata?.model
        if (model !== undefined) setWriters((known) => new Map(known).set(id as MessageId, model))
      }
      // the list says enough without the names of the models
      getJson<ThreadWindow>(api, url, gone.signal).then(take, () => undefined)
    }
    return () => gone.abort()
  }, [api, asked])

  return writers
}
