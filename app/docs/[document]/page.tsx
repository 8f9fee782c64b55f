import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { DocumentView } from '@/components/docs/document-page'
import { documentNames, listDocuments, readDocument } from '@/lib/server/pages/documents'

interface Props {
  params: Promise<{ document: string }>
}

export const generateStaticParams = () => documentNames.map((document) => ({ document }))

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: readDocument((await params).document)?.title ?? 'Documents' }
}

/** `/docs/{name}`: a file of `docs` as a page. */
export default async function DocumentRoute({ params }: Props) {
  const page = readDocument((await params).document)
  if (!page) notFound()
  return <DocumentView lists={listDocuments()} page={page} />
}
