import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { documentNames, readDocument, searchDocuments } from './documents'

const pageOf = (name: string) => {
  const page = readDocument(name)
  if (!page) throw new Error(`there is no document ${name}`)
  return page
}
/** The targets of the links of a document. */
const linksOf = (html: string) => [...html.matchAll(/<a href="([^"]+)"/g)].map(([, href = '']) => href)

test.each(documentNames)('every link of %s leads to a document and to a heading of it', (name) => {
  const { html, title } = pageOf(name)
  expect(title).not.toBe('')
  for (const href of linksOf(html)) {
    const [, to = name, anchor] = /^(?:\/docs\/([\w-]+))?(?:#(.+))?$/.exec(href) ?? []
    if (!href.startsWith('/docs/') && !href.startsWith('#')) continue
    expect(documentNames, href).toContain(to)
    if (anchor) expect(pageOf(to).html, href).toContain(`id="${anchor}"`)
  }
})

test('every link of the README leads to a file, and its first page is short', () => {
  const readme = readFileSync('README.md', 'utf8')
  const files = [...readme.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, file = '']) => file)
  expect(files.filter((file) => !/^https?:/.test(file) && !existsSync(file))).toEqual([])
  expect(readme.split('\n').length).toBeLessThanOrEqual(150)
  // each file of docs is in its list of links and on a page
  for (const name of documentNames) expect(readme).toContain(`docs/${name}.md`)
})

test('a document is not read by the name of another file', () => {
  for (const name of ['../README', 'nothing', '', 'install.md']) expect(readDocument(name)).toBeUndefined()
})

test('a search finds the sections that hold all of its words, and leads to their place', () => {
  const [first] = searchDocuments('power loss')
  expect(first).toMatchObject({ address: '/docs/limits#what-ramify-does-not-do', document: 'Limits' })
  expect(first?.excerpt).toContain('power loss')
  expect(searchDocuments('BACKUP laptop').map(({ document }) => document)).toContain('Backup')
  expect(searchDocuments('zebra quagga')).toEqual([])
  expect(searchDocuments('  ')).toEqual([])
})
