'use client'

import { useEffect, useState, useSyncExternalStore } from 'react'
import { useApp } from '@/components/app/app-context'
import { newChatPath } from '@/components/app/paths'
import { problemOf, unreached } from '@/components/app/problem'
import { Button } from '@/components/ui/button'
import { AccountForm } from './account-form'
import { askIdentity } from './ask-identity'

interface Said {
  detail: string
}

/** The token of a link stands after `#`: servers and their logs never see it. Null until the page is in a browser. */
function useToken(): string | null {
  return useSyncExternalStore(
    (listener) => {
      addEventListener('hashchange', listener)
      return () => removeEventListener('hashchange', listener)
    },
    () => location.hash.slice(1),
    () => null,
  )
}

function LinkFrame({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto flex max-w-[400px] flex-col gap-4 px-4 pt-[14dvh] pb-16">
        <h1 className="font-medium text-xl">{title}</h1>
        {children}
      </div>
    </section>
  )
}

/** Target of the link in a letter that sets a new password. */
export function ResetPasswordPage() {
  const { openAccount } = useApp()
  const token = useToken()
  const [told, setTold] = useState<string | null>(null)
  const [endsAccess, setEndsAccess] = useState(true)
  return (
    <LinkFrame title="Set a new password">
      {told ? (
        <>
          <p role="status">{told}</p>
          <Button look="primary" className="self-start" onClick={() => openAccount('in')}>
            Sign in
          </Button>
        </>
      ) : token === '' ? (
        <p role="alert">This link is not whole. Open it as it stands in the letter, or ask for a new one.</p>
      ) : (
        <>
          <p className="text-muted">Every session of your account ends with it, on every device.</p>
          <AccountForm
            label="Set a new password"
            fields={[
              {
                name: 'password',
                label: 'New password',
                type: 'password',
                autoComplete: 'new-password',
                note: '10 characters or more.',
              },
            ]}
            box={{
              label: 'End API keys, connected apps and passkeys',
              note: 'If another person may have been in your account, leave this ticked.',
              checked: endsAccess,
              onChange: setEndsAccess,
            }}
            submit="Set the password"
            busy="Setting…"
            send={async ({ password }, signal) => {
              const given = { token, password, end_access: endsAccess }
              const { detail } = await askIdentity<Said>('reset-password', given, signal)
              // used: it must not be opened again from the history
              history.replaceState(null, '', location.pathname)
              setTold(detail)
            }}
          />
        </>
      )}
    </LinkFrame>
  )
}

/** Target of the link in a letter that confirms a new address. */
export function ConfirmEmailPage() {
  const token = useToken()
  const [outcome, setOutcome] = useState<{ ok: boolean; words: string } | null>(null)
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    if (outcome?.ok) history.replaceState(null, '', location.pathname)
  }, [outcome])
  const confirm = async () => {
    setBusy(true)
    try {
      setOutcome({ ok: true, words: (await askIdentity<Said>('confirm-email', { token })).detail })
    } catch (error) {
      setOutcome({ ok: false, words: problemOf(error, unreached).detail })
    }
    setBusy(false)
  }
  return (
    <LinkFrame title="Confirm your address">
      {outcome ? (
        <p role={outcome.ok ? 'status' : 'alert'}>{outcome.words}</p>
      ) : (
        <p className="text-muted">You sign in with this address from now on.</p>
      )}
      {outcome?.ok ? (
        <a href={newChatPath} className="text-accent underline underline-offset-4">
          Go to your chats
        </a>
      ) : (
        <Button
          look="primary"
          className="self-start"
          disabled={busy || !token}
          onClick={() => void confirm()}
        >
          Confirm
        </Button>
      )}
    </LinkFrame>
  )
}
