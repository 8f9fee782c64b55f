'use client'

import { X } from 'lucide-react'
import { Button, IconButton } from '@/components/ui/button'
import type { Problem } from '@/lib/protocol'

/** A problem, and what the person can do next. */
export interface Notice {
  problem: Problem
  choices: { label: string; run(): void }[]
}

export function NoticeBar({ notice, onClose }: { notice: Notice; onClose(): void }) {
  const { problem, choices } = notice
  return (
    <div
      role="alert"
      className="arrive mb-2 flex flex-col gap-2 rounded-xl border border-line bg-surface p-3 text-sm"
    >
      <div className="flex items-start gap-2">
        <p className="min-w-0 flex-1">
          <span className="block font-medium">{headline(problem)}</span>
          <span className="text-muted">{problem.detail}</span>
        </p>
        <IconButton label="Dismiss" size="icon-sm" Icon={X} onClick={onClose} />
      </div>
      <div className="flex flex-wrap gap-2">
        {choices.map(({ label, run }) => (
          <Button
            key={label}
            size="sm"
            onClick={() => {
              onClose()
              run()
            }}
          >
            {label}
          </Button>
        ))}
      </div>
    </div>
  )
}

/** Says why loading failed, with a button to load again. */
export function LoadFailed({ problem, onAgain }: { problem: Problem; onAgain(): void }) {
  return (
    <p role="alert" className="flex items-center gap-3 py-3 text-muted text-sm">
      {problem.detail}
      <Button size="sm" onClick={onAgain}>
        Load again
      </Button>
    </p>
  )
}

/** Says what the matter is: the title of a problem without a headline here is made for programs where it is about the request. */
function headline({ code, status, title }: Problem): string {
  if (code === 'head_moved') return 'This branch has moved on since you opened it'
  if (code === 'reply_in_progress') return 'A reply is still being written on this branch'
  if (code === 'quota_exceeded') return 'A limit of this server is reached'
  if (code === 'offline') return 'You seem to be offline'
  if (status === 400 || status === 409 || status === 422) return 'That did not work'
  return title
}
