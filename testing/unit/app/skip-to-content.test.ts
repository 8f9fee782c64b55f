import { createElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { AgentsPage } from '@/components/docs/agents-page'
import { ApiPage } from '@/components/docs/api-page'
import { SharedFrame } from '@/components/shared/shared-frame'
import { apiDocument } from '@/lib/server/api/openapi'

const address = { origin: 'https://ramify.example', keyless: false, models: [], model: 'demo:echo' }
const shared = {
  token: 't',
  signedIn: false,
  graph: null,
  page: '1',
  continues: null,
  outline: null,
  brand: createElement('a', { href: '/' }, 'Ramify'),
  children: 'The messages',
}

const pages: [string, ReactNode][] = [
  ['the API', createElement(ApiPage, { document: apiDocument })],
  ['agents', createElement(AgentsPage, { address, tools: [] })],
  ['a shared chat', createElement(SharedFrame, shared)],
]

test.each(pages)('given the page of %s, then the first link of its HTML leads to its content', (_, page) => {
  const html = renderToStaticMarkup(page)
  const first = html.search(/<(a|button|input|select|textarea|summary)\b/)
  expect(html.slice(first)).toMatch(/^<a href="#content">Skip to content<\/a>/)
  expect(html).toContain('id="content"')
})
