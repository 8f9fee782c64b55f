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

/** Sentences for the errors of another service that did not sign a person in. */
const problems: Readonly<Record<string, string>> = {
  account_not_linked:
    'There is an account with the address of that service already. Sign in to it with its password.',
  access_denied: 'You did not let that service sign you in.',
}

/** A person's account: the ways in, the sessions, and the way out. On a machine of one owner there is none. */
export function AccountPage({ problem }: { problem: string | null }) {
  const { viewer, access } = useApp()
  return (
    <SettingsPage title="Account">
      {problem !== null && (
        <p role="alert" className="mb-6 rounded-lg bg-danger-soft px-4 py-3 text-danger">
          {problems[problem] ?? 'The other service did not sign you in. Try again, or sign in another way.'}
        </p>
      )}
      {access.personal === 'on' ? <OfOwner /> : viewer && !viewer.guest ? <OfAccount /> : <OfGuest />}
    </SettingsPage>
  )
}

function OfOwner() {
  const { openAccount } = useApp()
  return (
    <>
      <SettingsSection
        title="This computer"
        note="On this machine everybody who opens this page is you: nobody signs in, and every browser, the command line and your agents meet the same chats. Other machines and pages of other sites reach nothing."
      >
        <p className="mt-3 text-muted">
          Whoever else can log in to this computer reaches it too. Where that is not meant, start it with{' '}
          <code className="font-mono text-sm">RAMIFY_PERSONAL=off</code>.
        </p>
      </SettingsSection>
      <SettingsSection
        title="Open it to others"
        note="Sign up first: the account takes all chats, files, keys and settings along, and from then on people sign in here. Then start it with HOST, DATABASE_URL or BETTER_AUTH_URL."
      >
        <Button className="mt-4" onClick={() => openAccount('up')}>
          Sign up
        </Button>
      </SettingsSection>
      <DeleteAccount isGuest hasPassword={false} />
    </>
  )
}

function OfGuest() {
  const { viewer, openAccount, access } = useApp()
  const note = viewer
    ? 'Your chats are kept in this browser only: when its cookies are deleted, nobody can reach them, and they are deleted 30 days after your last visit. With an account you keep them, and have them on your other devices.'
    : access.guests
      ? 'You can write without an account: your chats are kept in this browser only then. With an account you have them on all your devices.'
      : 'To write on this server, you need an account.'
  return (
    <>
      <SettingsSection title={viewer ? 'You are a guest' : 'You are not signed in'} note={note}>
        <div className="mt-4 flex flex-wrap gap-2">
          <Button look="primary" onClick={() => openAccount('up')}>
            Sign up
          </Button>
          <Button onClick={() => openAccount('in')}>Sign in</Button>
        </div>
      </SettingsSection>
      {viewer && <DeleteAccount isGuest hasPassword={false} />}
    </>
  )
}

function OfAccount() {
  const { signOut, access } = useApp()
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
        <Button className="mt-4" onClick={signOut}>
          Sign out
        </Button>
      </SettingsSection>
      {access.personal === 'ended' && (
        <SettingsSection
          title="Without signing in"
          note="Only this machine reaches this server, so it could do without signing in: everybody who opens it here would be you. It asks for an account because there is one. To do without, export everything (Settings, Data), delete every account, and import what you have exported."
        />
      )}
      <DeleteAccount isGuest={false} hasPassword={account.has_password} />
    </>
  )
}
