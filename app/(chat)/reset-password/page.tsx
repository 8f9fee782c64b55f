import type { Metadata } from 'next'
import { ResetPasswordPage } from '@/components/account/link-page'

export const metadata: Metadata = {
  title: 'Set a new password',
  robots: { index: false },
  referrer: 'no-referrer',
}

/** `/reset-password`: where the link of a letter leads that sets a new password. */
export default function Page() {
  return <ResetPasswordPage />
}
