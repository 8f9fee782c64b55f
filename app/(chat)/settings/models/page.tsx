import type { Metadata } from 'next'
import { ModelSettingsPage } from '@/components/settings/model-settings-page'
import { readModelSettings } from '@/lib/server/pages/pages'

export const metadata: Metadata = { title: 'Models' }

/** `/settings/models`: a person's keys for model providers. */
export default async function ModelsPage() {
  return <ModelSettingsPage {...(await readModelSettings())} />
}
