import type { ApiDocument } from '@/lib/server/api/document'

export const tagAnchor = (tag: string): string => tag.toLowerCase().replaceAll(' ', '-')

/** The table of contents: every operation by its summary, in the order of the page. */
export function Contents({ document }: { document: ApiDocument }) {
  return (
    <ul className="flex flex-col gap-4 text-sm">
      {operationsByTag(document).map(({ tag, operations }) => (
        <li key={tag.name}>
          <a href={`#${tagAnchor(tag.name)}`} className="font-medium hover:underline">
            {tag.name}
          </a>
          <ul className="mt-1 flex flex-col">
            {operations.map(({ operation }) => (
              <li key={operation.operationId}>
                <a
                  href={`#${operation.operationId}`}
                  className="block py-0.5 text-muted hover:text-ink hover:underline"
                >
                  {operation.summary}
                </a>
              </li>
            ))}
          </ul>
        </li>
      ))}
      <li>
        <a href="#shapes" className="font-medium hover:underline">
          Shapes
        </a>
      </li>
    </ul>
  )
}

/** The document's operations under the tags they belong to. */
export function operationsByTag(document: ApiDocument) {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  return document.tags.map((tag) => ({
    tag,
    operations: all.filter(({ operation }) => operation.tags.includes(tag.name)),
  }))
}
