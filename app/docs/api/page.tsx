import type { Metadata } from 'next'
import { ApiPage } from '@/components/docs/api-page'
import { apiDocument } from '@/lib/server/api/openapi'

export const metadata: Metadata = {
  title: 'API',
  description: 'Commands, reads and streams of Ramify over HTTP.',
}

/** `/docs/api`: what can be asked of this server, for people. */
export default function ApiDocs() {
  return <ApiPage document={apiDocument} />
}
