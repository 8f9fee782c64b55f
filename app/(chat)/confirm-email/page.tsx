import type { Metadata } from 'next'
import { ConfirmEmailPage } from '@/components/account/link-page'

export const metadata: Metadata = {
  title: 'Confirm your address',
  robots: { index: false },
  referrer: 'no-referrer',
}

/** `/confirm-email`: where the link of a letter leads that confirms a new address. */
export default function Page() {
  return <ConfirmEmailPage />
}
