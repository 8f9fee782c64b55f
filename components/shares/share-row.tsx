'use client'

import Link from 'next/link'
import { useEffect, useRef, useState } from 'react'
import { useApp } from '@/components/app/app-context'
import { branchPath } from '@/components/app/paths'
import { problemOf } from '@/components/app/problem'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import type { ShareLink } from '@/lib/protocol'
import { endWords, linkDate, opensWords, viewWords } from './share-words'

interface ShareRowProps {
  share: ShareLink
  /** the title of its chat is shown, and leads there */
  withChat?: boolean
  onRevoked(): void
}

/** A link of one's own: its scope, its beginning, how often it was opened, and its end. */
export function ShareRow({ share, withChat = false, onRevoked }: ShareRowProps) {
  const { api } = useApp()
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [now] = useState(() => Date.now())
  const opener = useRef<HTMLButtonElement>(null)
  const closed = useRef(false)
  const isOver = share.expires_at !== null && Date.parse(share.expires_at) <= now
  const what = `the link of ${linkDate(share.created_at)}`

  // the question had the focus until it went
  useEffect(() => {
    if (closed.current && !asking) opener.current?.focus()
    closed.current = !asking && closed.current
  }, [asking])

  const revoke = async () => {
    setBusy(true)
    try {
      await api.fetch(`/api/shares/${share.id}`, { method: 'DELETE' })
      onRevoked()
    } catch (error) {
      setProblem(problemOf(error).detail)
      setBusy(false)
    }
  }
  const cancel = () => {
    closed.current = true
    setAsking(false)
  }
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line border-b py-3 last:border-b-0">
      <div className="min-w-0 flex-1 basis-60">
        {withChat && (
          <h3 className="truncate font-medium">
            <Link href={branchPath(share.chat_id, share.branch)} className="hover:underline">
              <bdi>{share.title ?? 'A conversation'}</bdi>
            </Link>
          </h3>
        )}
        <p className={cn('text-sm', isOver && 'text-muted')}>
          {opensWords(share)}
          {share.indexed && <span className="text-warn"> · listed by search engines</span>}
        </p>
        <p className="text-muted text-xs">
          Made on {linkDate(share.created_at)} · {viewWords(share)} ·{' '}
          <span className={cn(isOver && 'text-warn')}>{endWords(share, now)}</span>
        </p>
      </div>
      {asking ? (
        <fieldset
          aria-label={`Revoke ${what}`}
          className="flex w-full flex-wrap items-center justify-between gap-2 rounded-md bg-surface p-2"
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return
            event.stopPropagation()
            cancel()
          }}
        >
          <p className="text-sm">It opens nothing from then on. This cannot be undone.</p>
          <span className="flex gap-2">
            <Button size="sm" disabled={busy} onClick={cancel}>
              Keep it
            </Button>
            <Button size="sm" look="danger" autoFocus disabled={busy} onClick={revoke}>
              Revoke
            </Button>
          </span>
        </fieldset>
      ) : (
        <Button ref={opener} size="sm" aria-label={`Revoke ${what}`} onClick={() => setAsking(true)}>
          Revoke
        </Button>
      )}
      {problem && (
        <p role="alert" className="w-full text-danger text-sm">
          {problem}
        </p>
      )}
    </li>
  )
}
