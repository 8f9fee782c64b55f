import Link from 'next/link'
import type { ReactNode } from 'react'
import { newChatPath } from './paths'

/** The same for a chat that does not exist and for a chat of another viewer. */
export function MissingPage() {
  return (
    <NoChat title="There is no such chat here">
      <p className="text-muted">It may have been deleted, or it belongs to another account.</p>
    </NoChat>
  )
}

/**
 * In the place of a chat that was deleted while it was open. Shows the unsent draft.
 *
 * @param props.shared true for a chat of someone else
 */
export function GonePage({ draft, shared }: { draft: string; shared: boolean }) {
  return (
    <NoChat title="This chat is no longer here">
      <p className="text-muted">
        {shared
          ? 'Its owner has deleted it, or you are not one of its people any more.'
          : 'It was deleted in another tab or on another device, or you are no longer signed in here.'}
      </p>
      {draft.trim() !== '' && (
        <>
          <h2 className="font-medium text-sm">What you were writing</h2>
          <p
            dir="auto"
            className="min-h-0 overflow-y-auto whitespace-pre-wrap rounded-lg border bg-surface p-3 text-sm [overflow-wrap:anywhere]"
          >
            {draft}
          </p>
        </>
      )}
    </NoChat>
  )
}

function NoChat({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="m-auto flex max-h-full max-w-md flex-col gap-3 p-6">
      <h1 className="font-medium text-xl">{title}</h1>
      {children}
      <p>
        <Link href={newChatPath} className="text-accent underline underline-offset-4">
          Start a new chat
        </Link>
      </p>
    </div>
  )
}
