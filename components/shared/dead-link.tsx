import Link from 'next/link'
import { newChatPath } from '@/components/app/paths'

/** In the place of a chat that a link does not open: the same for every reason. */
export function DeadLink() {
  return (
    <main className="grid h-dvh place-items-center overflow-y-auto p-6">
      <div className="flex max-w-md flex-col gap-3">
        <h1 className="font-medium text-xl">This link opens nothing</h1>
        <p className="text-muted">
          It may have expired, or its owner has revoked it or deleted the chat; or a letter of it is missing.
          Ask the person who sent it to you for a new one.
        </p>
        <p>
          <Link href={newChatPath} className="text-accent underline underline-offset-4">
            Start a chat of your own
          </Link>
        </p>
      </div>
    </main>
  )
}
