import type { Metadata } from 'next'
import { ApiKeysPage } from '@/components/settings/api-keys-page'

export const metadata: Metadata = { title: 'API keys' }

/** `/settings/keys`: the keys of a person's scripts and agents. */
export default function Page() {
  return <ApiKeysPage />
}
