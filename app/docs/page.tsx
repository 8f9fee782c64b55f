import type { Metadata } from 'next'
import { DocumentsHome } from '@/components/docs/document-page'
import { listDocuments, searchDocuments } from '@/lib/server/pages/documents'

export const metadata: Metadata = { title: 'Documents', description: 'How to use, run and build on Ramify.' }

interface Props {
  searchParams: Promise<{ q?: string | string[] }>
}

/** `/docs`: the documents, and a search through them. */
export default async function Documents({ searchParams }: Props) {
  const { q = '' } = await searchParams
  const words = String(q).slice(0, 200).trim()
  return <DocumentsHome lists={listDocuments()} words={words} hits={searchDocuments(words)} />
}
