'use client'

import { useState } from 'react'
import { useApp } from '@/components/app/app-context'
import { LoadFailed } from '@/components/app/notice'
import { useLoaded } from '@/components/session/read-chat'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import type { OwnAccount } from '@/lib/protocol'
import { DeleteAccount } from './delete-account'
import { PasskeySection } from './passkey-section'
import { ProfileSection } from './profile-section'
import { SessionSection } from './session-section'
import { SettingsPage, SettingsSection } from './settings-page'

/** What another service answered when it did not sign a person in. */
const problems: Readonly<Record<string, string>> = {
  account_not_linked:
    'There is an account with the address of that service already. Sign in to it with its password.',
  access_denied: 'You did not let that service sign you in.',
}

/** A person's account: the ways in, the sessions, and the way out. */
export function AccountPage({ problem }: { problem: string | null }) {
  const { viewer } = useApp()
  return (
    <SettingsPage title="Account">
      {problem !== null && (
        <p role="alert" className="mb-6 rounded-lg bg-danger-soft px-4 py-3 text-danger">
          {problems[problem] ?? 'The other service did not sign you in. Try again, or sign in another way.'}
        </p>
      )}
      {viewer && !viewer.guest ? <OfAccount /> : <OfGuest />}
    </SettingsPage>
  )
}

function OfGuest() {
  const { viewer, openAccount, access } = useApp()
  const note = viewer
    ? 'Your chats hang on a cookie of this browser: without it they cannot be reached, and they are deleted when you write nothing for 30 days. With an account you keep them, and have them on your other devices.'
    : access.guests
      ? 'You can write without an account: your chats hang on a cookie of this browser then. With an account you have them on all your devices.'
      : 'To write on this server, you need an account.'
  return (
    <>
      <SettingsSection title={viewer ? 'You are a guest' : 'You are not signed in'} note={note}>
        <div className="mt-4 flex flex-wrap gap-2">
          <Button look="primary" className="touch:h-11" onClick={() => openAccount('up')}>
            Sign up
          </Button>
          <Button className="touch:h-11" onClick={() => openAccount('in')}>
            Sign in
          </Button>
        </div>
      </SettingsSection>
      {viewer && <DeleteAccount isGuest hasPassword={false} />}
    </>
  )
}

function OfAccount() {
  const { signOut } = useApp()
  const [account, setAccount] = useState<OwnAccount | null>(null)
  const [version, setVersion] = useState(0)
  const { problem, again } = useLoaded<OwnAccount>('/api/account', setAccount, version)
  const changed = () => setVersion(version + 1)
  if (problem) return <LoadFailed problem={problem} onAgain={again} />
  if (!account) {
    return (
      <div role="status" aria-label="Loading the account" className="flex flex-col gap-4">
        <Skeleton className="h-16" />
        <Skeleton className="h-16" />
        <Skeleton className="h-32" />
      </div>
    )
  }
  return (
    <>
      <ProfileSection account={account} onChanged={changed} />
      <PasskeySection passkeys={account.passkeys} onChanged={changed} />
      <SessionSection />
      <SettingsSection title="Sign out" note="Of this browser. Your chats stay in the account.">
        <Button className="mt-4 touch:h-11" onClick={signOut}>
          Sign out
        </Button>
      </SettingsSection>
      <DeleteAccount isGuest={false} hasPassword={account.has_password} />
    </>
  )
}
