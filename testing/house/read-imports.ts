import { parseSync, Visitor } from 'vite'

export type Import = {
  /** As written: `./thread`, `@/lib/server`, `next/link`. */
  specifier: string
  /** `import type` and `import('…').T` leave no trace at run time; `import { type T }` still loads the module. */
  typeOnly: boolean
}

/** Everything a TypeScript module refers to: imports, re-exports, dynamic imports and import types. */
export function readImports(file: string, source: string): { imports: Import[]; directives: string[] } {
  const { program, errors } = parseSync(file, source)
  const [error] = errors
  if (error) throw new Error(`${file} does not parse: ${error.message}`)
  const imports: Import[] = []
  const found = (from: { value?: unknown } | null | undefined, typeOnly: boolean) => {
    if (typeof from?.value === 'string') imports.push({ specifier: from.value, typeOnly })
  }
  new Visitor({
    ImportDeclaration: (node) => found(node.source, node.importKind === 'type'),
    ExportNamedDeclaration: (node) => found(node.source, node.exportKind === 'type'),
    ExportAllDeclaration: (node) => found(node.source, node.exportKind === 'type'),
    ImportExpression: (node) => found('value' in node.source ? node.source : null, false),
    TSImportType: (node) => found(node.source, true),
  }).visit(program)
  const directives = program.body.flatMap((statement) =>
    statement.type === 'ExpressionStatement' && statement.directive ? [statement.directive] : [],
  )
  return { imports, directives }
}
