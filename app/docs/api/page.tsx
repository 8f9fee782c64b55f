import type { Metadata } from 'next'
import { ApiPage } from '@/components/docs/api-page'
import { apiDocument } from '@/lib/server/api/openapi'

export const metadata: Metadata = {
  title: 'API',
  description: 'Commands, reads and streams of Ramify over HTTP.',
}

/** `/docs/api`: the description of the API as a page. */
export default function ApiDocs() {
  return <ApiPage document={apiDocument} />
}
