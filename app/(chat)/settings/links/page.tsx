import type { Metadata } from 'next'
import { LinksPage } from '@/components/shares/links-page'
import { readLinks } from '@/lib/server/pages/pages'

export const metadata: Metadata = { title: 'Links' }

/** `/settings/links`: a person's links to chats. */
export default async function LinksSettingsPage() {
  return <LinksPage {...(await readLinks())} />
}
