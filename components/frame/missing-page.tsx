import Link from 'next/link'
import { newChatPath } from '@/components/app/paths'

/** The same for a chat that does not exist and for a chat of another viewer. */
export function MissingPage() {
  return (
    <div className="m-auto flex max-w-md flex-col gap-3 p-6">
      <h1 className="font-medium text-xl">There is no such chat here</h1>
      <p className="text-muted">It may have been deleted, or it belongs to another account.</p>
      <p>
        <Link href={newChatPath} className="text-accent underline underline-offset-4">
          Start a new chat
        </Link>
      </p>
    </div>
  )
}
