import type { Metadata } from 'next'
import { ApiKeysPage } from '@/components/settings/api-keys-page'

export const metadata: Metadata = { title: 'API keys' }

/** `/settings/keys`: the API keys of a person, and the apps that are connected. */
export default function Page() {
  return <ApiKeysPage />
}
