import type { Metadata } from 'next'
import { AccountPage } from '@/components/settings/account-page'

export const metadata: Metadata = { title: 'Account' }

/** `/settings/account`: a person's account; with `error`, what another service said that did not sign in. */
export default async function Page({
  searchParams,
}: {
  searchParams: Promise<{ error?: string | string[] }>
}) {
  const { error } = await searchParams
  return <AccountPage problem={typeof error === 'string' ? error : null} />
}
