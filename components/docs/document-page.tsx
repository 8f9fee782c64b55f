import type { DocumentHit, DocumentList, DocumentPage } from '@/lib/server/pages/documents'
import { DocumentsFrame } from './documents-frame'

/** One document. */
export function DocumentView({ lists, page }: { lists: readonly DocumentList[]; page: DocumentPage }) {
  return (
    <DocumentsFrame lists={lists} here={page.name}>
      <h1 className="mt-2 font-medium text-2xl">{page.title}</h1>
      {page.headings.length > 1 && (
        <ul aria-label="On this page" className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-sm">
          {page.headings.map(({ id, title }) => (
            <li key={id}>
              <a href={`#${id}`} className="text-muted hover:text-ink hover:underline">
                {title}
              </a>
            </li>
          ))}
        </ul>
      )}
      <div
        className="reading document mt-6 max-w-[76ch]"
        // biome-ignore lint/security/noDangerouslySetInnerHtml: made from files of this repository alone
        dangerouslySetInnerHTML={{ __html: page.html }}
      />
    </DocumentsFrame>
  )
}

interface FoundProps {
  lists: readonly DocumentList[]
  words: string
  hits: readonly DocumentHit[]
}

/** The list of documents, or what a search has found in them. */
export function DocumentsHome({ lists, words, hits }: FoundProps) {
  return (
    <DocumentsFrame lists={lists} words={words}>
      {words === '' ? <Lists lists={lists} /> : <Found words={words} hits={hits} />}
    </DocumentsFrame>
  )
}

function Lists({ lists }: Pick<FoundProps, 'lists'>) {
  return (
    <>
      <h1 className="mt-2 font-medium text-2xl">Documents</h1>
      <div className="mt-6 grid gap-8 sm:grid-cols-3">
        {lists.map(({ title, documents }) => (
          <section key={title} aria-label={title}>
            <h2 className="font-medium">{title}</h2>
            <ul className="mt-2 flex flex-col">
              {documents.map(({ name, title: named }) => (
                <li key={name}>
                  <a
                    href={`/docs/${name}`}
                    className="block py-1.5 text-accent underline underline-offset-4 touch:py-2.5"
                  >
                    {named}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  )
}

function Found({ words, hits }: Pick<FoundProps, 'words' | 'hits'>) {
  return (
    <>
      <h1 className="mt-2 font-medium text-2xl">{hits.length === 0 ? 'Nothing found' : `Found: ${words}`}</h1>
      {hits.length === 0 ? (
        <p className="mt-4">No section holds all of “{words}”. Try fewer words, or another one.</p>
      ) : (
        <ol className="mt-6 flex max-w-[68ch] flex-col gap-5">
          {hits.map(({ address, document, heading, excerpt }) => (
            <li key={address}>
              <a href={address} className="text-accent underline underline-offset-4">
                {heading === undefined ? document : `${document}: ${heading}`}
              </a>
              <p className="mt-1 text-muted text-sm">{excerpt}</p>
            </li>
          ))}
        </ol>
      )}
    </>
  )
}
