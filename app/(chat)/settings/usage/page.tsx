import type { Metadata } from 'next'
import { UsagePage } from '@/components/settings/usage-page'

export const metadata: Metadata = { title: 'Usage' }

/** `/settings/usage`: tokens and cost by day, model and chat. */
export default function Page() {
  return <UsagePage />
}
