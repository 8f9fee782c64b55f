import type { Metadata } from 'next'
import { RemoteSettingsPage } from '@/components/settings/remotes/remote-settings-page'
import { readRemoteSettings } from '@/lib/server/pages/pages'

export const metadata: Metadata = { title: 'Remotes' }

/** `/settings/remotes`: a person's other servers. */
export default async function RemotesPage() {
  return <RemoteSettingsPage {...(await readRemoteSettings())} />
}
