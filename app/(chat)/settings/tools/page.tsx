import type { Metadata } from 'next'
import { ToolSettingsPage } from '@/components/settings/tool-settings-page'
import { readToolSettings } from '@/lib/server/pages/pages'

export const metadata: Metadata = { title: 'Tools' }

/** `/settings/tools`: a person's servers of tools. */
export default async function ToolsPage() {
  return <ToolSettingsPage {...(await readToolSettings())} />
}
