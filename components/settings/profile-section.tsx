'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { AccountForm } from '@/components/account/account-form'
import { askIdentity } from '@/components/account/ask-identity'
import { useApp } from '@/components/app/app-context'
import { problemOf, unreached } from '@/components/app/problem'
import { Button } from '@/components/ui/button'
import type { OwnAccount } from '@/lib/protocol'
import { SettingsSection } from './settings-page'
import { type Outcome, OutcomeLine, SettingsRow } from './settings-row'

const serviceNames: Readonly<Record<string, string>> = { github: 'GitHub', google: 'Google' }

/** Name, address and password of an account. */
export function ProfileSection({ account, onChanged }: { account: OwnAccount; onChanged(): void }) {
  const { api } = useApp()
  const router = useRouter()
  const [open, setOpen] = useState<'name' | 'email' | 'password' | null>(null)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [endsAccess, setEndsAccess] = useState(true)
  const begin = (what: typeof open) => {
    setEndsAccess(true)
    setOutcome(null)
    setOpen(what)
  }
  const done = (words: string) => {
    setOpen(null)
    setOutcome({ ok: true, words })
    onChanged()
  }
  const cancel = () => setOpen(null)
  const askForLink = async () => {
    try {
      const given = { email: account.email }
      setOutcome({ ok: true, words: (await askIdentity<Said>('request-password-reset', given)).detail })
    } catch (error) {
      setOutcome({ ok: false, words: problemOf(error, unreached).detail })
    }
  }
  const services = account.services.map((service) => serviceNames[service] ?? service)
  return (
    <SettingsSection title="Account">
      <ul className="mt-4 border-line border-t">
        <SettingsRow title="Name" facts={open === 'name' ? undefined : account.name}>
          {open === 'name' ? (
            <div className="w-full">
              <AccountForm
                label="Change the name"
                fields={[
                  { name: 'name', label: 'Name', type: 'text', autoComplete: 'name', initial: account.name },
                ]}
                submit="Save"
                busy="Saving…"
                onCancel={cancel}
                send={async ({ name }) => {
                  await api.fetch('/api/account', {
                    method: 'PUT',
                    headers: { 'content-type': 'application/json' },
                    body: JSON.stringify({ name }),
                  })
                  router.refresh()
                  done('Your name is changed.')
                }}
              />
            </div>
          ) : (
            <ChangeButton what="name" onClick={() => begin('name')} />
          )}
        </SettingsRow>
        <SettingsRow title="E-mail address" facts={account.email}>
          {open === 'email' ? (
            <div className="w-full">
              <AccountForm
                label="Change the e-mail address"
                fields={[
                  { name: 'email', label: 'New e-mail address', type: 'email', autoComplete: 'email' },
                  {
                    name: 'current',
                    label: 'Your password',
                    type: 'password',
                    autoComplete: 'current-password',
                  },
                ]}
                submit="Send the link"
                busy="Sending…"
                onCancel={cancel}
                send={async ({ email, current }, signal) => {
                  const given = { email, password: current }
                  done((await askIdentity<Said>('change-email', given, signal)).detail)
                }}
              />
            </div>
          ) : account.has_password ? (
            <ChangeButton what="e-mail address" onClick={() => begin('email')} />
          ) : null}
        </SettingsRow>
        <SettingsRow
          title="Password"
          facts={
            open === 'password'
              ? 'Links of earlier letters work no longer after it.'
              : account.has_password
                ? 'You sign in with it.'
                : 'You have none.'
          }
        >
          {open === 'password' ? (
            <div className="w-full">
              <AccountForm
                label="Change the password"
                fields={[
                  {
                    name: 'current',
                    label: 'Your password',
                    type: 'password',
                    autoComplete: 'current-password',
                  },
                  {
                    name: 'password',
                    label: 'New password',
                    type: 'password',
                    autoComplete: 'new-password',
                    note: '10 characters or more.',
                  },
                ]}
                box={{
                  label: 'Sign out everywhere else, and end API keys and connected apps',
                  note: 'Passkeys stay. Remove those that you do not know.',
                  checked: endsAccess,
                  onChange: setEndsAccess,
                }}
                submit="Change the password"
                busy="Changing…"
                onCancel={cancel}
                send={async ({ current, password }, signal) => {
                  const given = { current, password, end_access: endsAccess }
                  done((await askIdentity<Said>('change-password', given, signal)).detail)
                }}
              />
            </div>
          ) : account.has_password ? (
            <ChangeButton what="password" onClick={() => begin('password')} />
          ) : (
            <Button onClick={() => void askForLink()}>Send me a link to set one</Button>
          )}
        </SettingsRow>
        {services.length > 0 && <SettingsRow title="Other services" facts={services.join(', ')} />}
      </ul>
      <OutcomeLine outcome={outcome} />
    </SettingsSection>
  )
}

interface Said {
  detail: string
}

const ChangeButton = ({ what, onClick }: { what: string; onClick(): void }) => (
  <Button aria-label={`Change the ${what}`} onClick={onClick}>
    Change
  </Button>
)
