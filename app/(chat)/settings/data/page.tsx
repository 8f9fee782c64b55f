import type { Metadata } from 'next'
import { DataPage } from '@/components/settings/data-page'
import { readDataSettings } from '@/lib/server/pages/pages'

export const metadata: Metadata = { title: 'Data' }

/** `/settings/data`: chats come in, and go out. */
export default async function Page() {
  return <DataPage {...(await readDataSettings())} />
}
