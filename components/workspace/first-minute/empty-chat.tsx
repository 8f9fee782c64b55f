'use client'

import { ArrowUpRight } from 'lucide-react'
import { sample } from '@/components/actions/on-app'
import { Button } from '@/components/ui/button'
import { openers } from '@/lib/protocol/openers'

export function EmptyChat({ onOpener, onSample }: { onOpener(text: string): void; onSample(): void }) {
  return (
    <div className="m-auto flex w-full flex-col gap-8 py-10">
      <h2 className="max-w-[520px] text-balance font-medium text-xl sm:text-2xl">
        Ask anything, then take any message and go another way. Nothing is ever lost.
      </h2>
      <ul className="flex flex-col border-line border-t">
        {openers.map((text) => (
          <li key={text} className="border-line border-b">
            <button
              type="button"
              onClick={() => onOpener(text)}
              className="group flex min-h-11 w-full items-center justify-between gap-4 px-1 py-2 text-start text-muted transition-colors hover:text-ink"
            >
              {text}
              <ArrowUpRight
                size={15}
                aria-hidden
                className="shrink-0 text-faint transition-colors group-hover:text-accent"
              />
            </button>
          </li>
        ))}
      </ul>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-2 text-muted text-sm">
        <Button onClick={onSample}>{sample.label}</Button>
        It plays for a minute: take over whenever you like.
      </p>
    </div>
  )
}
