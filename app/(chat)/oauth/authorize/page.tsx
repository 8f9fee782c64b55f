import type { Metadata } from 'next'
import { ConsentPage } from '@/components/account/consent-page'
import { readConsent } from '@/lib/server/pages/consent'

export const metadata: Metadata = {
  title: 'Connect an app',
  robots: { index: false },
  referrer: 'no-referrer',
}

/** `/oauth/authorize`: an app asks a person for access. */
export default async function Page({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}) {
  return <ConsentPage {...(await readConsent(await searchParams))} />
}
