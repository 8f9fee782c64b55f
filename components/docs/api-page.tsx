import { contentId } from '@/components/app/paths'
import { SkipToContent } from '@/components/app/skip-to-content'
import type { ApiDocument } from '@/lib/server/api/document'
import { Code } from './code'
import { Contents, operationsByTag, tagAnchor } from './contents'
import { OperationEntry } from './operation'
import { Inline, Prose } from './prose'
import { Shapes } from './shapes'

const begin = `RAMIFY=http://localhost:3000

# sign in as guest; a file keeps the session
curl -c session.txt "$RAMIFY/api/auth/sign-in/anonymous" \\
  -H 'Content-Type: application/json' -d '{}'

# create an API key for everything else; it is shown only here
curl -b session.txt "$RAMIFY/api/keys" \\
  -H 'Content-Type: application/json' -d '{"name":"first steps"}'`

/** The description of the API as a page: the same document that programs get. It needs no script. */
export function ApiPage({ document }: { document: ApiDocument }) {
  return (
    <div className="h-dvh overflow-y-auto">
      <SkipToContent />
      <div className="mx-auto grid max-w-[84rem] gap-x-14 px-5 lg:grid-cols-[13rem_minmax(0,1fr)] lg:px-8">
        <nav
          aria-label="Contents"
          className="hidden lg:sticky lg:top-0 lg:block lg:h-dvh lg:overflow-y-auto lg:py-10"
        >
          <Contents document={document} />
        </nav>
        <main id={contentId} tabIndex={-1} className="outline-none min-w-0 pt-10 pb-24">
          <p className="text-faint text-sm">
            <a href="/" className="hover:underline">
              Ramify
            </a>
          </p>
          <h1 className="font-medium text-2xl">API</h1>
          <div className="mt-4 flex max-w-[68ch] flex-col gap-3 text-lg">
            <Prose text={document.info.description} />
            <p>
              For programs:{' '}
              <a href="/api/openapi.json" className="text-accent underline underline-offset-4">
                openapi.json
              </a>
              . For agents and other clients:{' '}
              <a href="/docs/agents" className="text-accent underline underline-offset-4">
                what to set
              </a>
            </p>
          </div>
          <details className="mt-6 rounded-lg border border-line p-4 lg:hidden">
            <summary className="font-medium">Contents</summary>
            <nav aria-label="Contents, folded" className="mt-3">
              <Contents document={document} />
            </nav>
          </details>
          <div className="mt-8 max-w-[68ch]">
            <Code label="Getting started" text={begin} />
          </div>
          {operationsByTag(document).map(({ tag, operations }) => (
            <section
              key={tag.name}
              id={tagAnchor(tag.name)}
              aria-labelledby={`${tagAnchor(tag.name)}-title`}
              className="mt-14 scroll-mt-6"
            >
              <h2 id={`${tagAnchor(tag.name)}-title`} className="font-semibold text-xl">
                {tag.name}
              </h2>
              <p className="mt-1 mb-6 max-w-[68ch] text-lg text-muted">
                <Inline text={tag.description} />
              </p>
              {operations.map(({ operation, ...at }) => (
                <OperationEntry
                  key={operation.operationId}
                  document={document}
                  operation={operation}
                  {...at}
                />
              ))}
            </section>
          ))}
          <section id="shapes" aria-labelledby="shapes-title" className="mt-14 scroll-mt-6">
            <h2 id="shapes-title" className="mb-6 font-semibold text-xl">
              Shapes
            </h2>
            <Shapes schemas={document.components.schemas} />
          </section>
        </main>
      </div>
    </div>
  )
}
