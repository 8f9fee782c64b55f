import { readFileSync } from 'node:fs'
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

test('the README is short, and has each document in its list of links', () => {
  const readme = readFileSync('README.md', 'utf8')
  expect(readme.split('\n').length).toBeLessThanOrEqual(150)
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
