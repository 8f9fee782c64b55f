import type { Metadata } from 'next'
import { AppearancePage } from '@/components/settings/appearance-page'

export const metadata: Metadata = { title: 'Appearance' }

/** `/settings/appearance`: theme, density and text size. */
export default function Page() {
  return <AppearancePage />
}
