import type { ReactNode } from 'react'
import { contentId } from '@/components/app/paths'
import { SkipToContent } from '@/components/app/skip-to-content'
import type { DocumentList } from '@/lib/server/pages/documents'

interface DocumentsFrameProps {
  lists: readonly DocumentList[]
  /** the document that is read */
  here?: string
  /** the words that were searched for */
  words?: string
  children: ReactNode
}

/** The documents of Ramify: their list with a search, and one of them beside it. It needs no script. */
export function DocumentsFrame({ lists, here, words = '', children }: DocumentsFrameProps) {
  return (
    <div className="h-dvh overflow-y-auto">
      <SkipToContent />
      <div className="mx-auto grid max-w-[72rem] gap-x-14 px-5 lg:grid-cols-[13rem_minmax(0,1fr)] lg:px-8">
        <nav
          aria-label="Documents"
          className="hidden lg:sticky lg:top-0 lg:block lg:h-dvh lg:overflow-y-auto lg:py-10"
        >
          <List lists={lists} here={here} />
        </nav>
        <main id={contentId} tabIndex={-1} className="min-w-0 pt-10 pb-24 outline-none">
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="text-faint text-sm">
              <a href="/" className="hover:underline">
                Ramify
              </a>
              {' / '}
              <a href="/docs" className="hover:underline">
                Documents
              </a>
            </p>
            <search>
              <form action="/docs" className="flex gap-2">
                <input
                  type="search"
                  name="q"
                  dir="auto"
                  defaultValue={words}
                  aria-label="Search the documents"
                  placeholder="Search the documents"
                  className="h-9 w-56 rounded-md border border-line bg-surface px-3 text-sm touch:h-11"
                />
                <button type="submit" className="button secondary h-9 px-3 text-sm touch:h-11">
                  Search
                </button>
              </form>
            </search>
          </div>
          {children}
          <details className="mt-12 rounded-lg border border-line p-4 lg:hidden">
            <summary className="font-medium">All documents</summary>
            <nav aria-label="Documents, folded" className="mt-3">
              <List lists={lists} here={here} />
            </nav>
          </details>
        </main>
      </div>
    </div>
  )
}

function List({ lists, here }: Pick<DocumentsFrameProps, 'lists' | 'here'>) {
  return (
    <ul className="flex flex-col gap-4 text-sm">
      {lists.map(({ title, documents }) => (
        <li key={title}>
          <p className="font-medium">{title}</p>
          <ul className="mt-1 flex flex-col">
            {documents.map(({ name, title: named }) => (
              <li key={name}>
                <a
                  href={`/docs/${name}`}
                  aria-current={name === here ? 'page' : undefined}
                  className="block py-1 text-muted hover:text-ink hover:underline aria-[current=page]:font-medium aria-[current=page]:text-ink"
                >
                  {named}
                </a>
              </li>
            ))}
          </ul>
        </li>
      ))}
      <li>
        <p className="font-medium">Made from the code</p>
        <ul className="mt-1 flex flex-col">
          <li>
            <a href="/docs/api" className="block py-1 text-muted hover:text-ink hover:underline">
              Every operation of the API
            </a>
          </li>
          <li>
            <a href="/docs/agents" className="block py-1 text-muted hover:text-ink hover:underline">
              Settings of each agent
            </a>
          </li>
        </ul>
      </li>
    </ul>
  )
}
