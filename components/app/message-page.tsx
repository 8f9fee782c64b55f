import Link from 'next/link'
import type { ReactNode } from 'react'
import { newChatPath } from './paths'

/** A page of a few words, with a link to the start. */
export function MessagePage({ title, link, children }: { title: string; link: string; children: ReactNode }) {
  return (
    <main className="grid h-dvh place-items-center overflow-y-auto p-6">
      <div className="flex max-w-md flex-col gap-3">
        <h1 className="font-medium text-xl">{title}</h1>
        <p className="text-muted">{children}</p>
        <p>
          <Link href={newChatPath} className="text-accent underline underline-offset-4">
            {link}
          </Link>
        </p>
      </div>
    </main>
  )
}
