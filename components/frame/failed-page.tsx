'use client'

import { TriangleAlert } from 'lucide-react'
import Link from 'next/link'
import { newChat } from '@/components/actions/on-app'
import { newChatPath } from '@/components/app/paths'
import { Button } from '@/components/ui/button'

/** In the place of a page that failed to render. */
export function FailedPage({ onRetry }: { onRetry(): void }) {
  return (
    <div role="alert" className="m-auto flex max-w-md flex-col gap-4 p-6">
      <TriangleAlert size={20} aria-hidden className="text-warn" />
      <h1 className="font-medium text-xl">This page could not be shown</h1>
      <p className="text-muted">
        Something went wrong on our side. Your messages are stored: loading again is safe.
      </p>
      <div className="flex items-center gap-4">
        <Button look="primary" onClick={onRetry}>
          Load again
        </Button>
        <Link href={newChatPath} className="text-accent underline underline-offset-4">
          {newChat.label}
        </Link>
      </div>
    </div>
  )
}
