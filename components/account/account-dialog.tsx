'use client'

import { Fingerprint } from 'lucide-react'
import { useState } from 'react'
import { type AccountWay, useApp } from '@/components/app/app-context'
import { authorizePath } from '@/components/app/paths'
import { problemOf, unreached } from '@/components/app/problem'
import { useOnClient } from '@/components/app/use-on-client'
import { Button } from '@/components/ui/button'
import { Dialog, type OpenProps } from '@/components/ui/dialog'
import { type AccountField, AccountForm } from './account-form'
import { askIdentity, refusal, type SignedIn } from './ask-identity'
import { canUsePasskeys, signInWithPasskey } from './passkeys'

const email: AccountField = {
  name: 'email',
  label: 'E-mail address',
  type: 'email',
  autoComplete: 'username',
}
const password: AccountField = {
  name: 'password',
  label: 'Password',
  type: 'password',
  autoComplete: 'current-password',
}

const titles = { in: 'Sign in', up: 'Sign up', reset: 'Set a new password' }

/** Signing in and up. The page is loaded anew after that: everything on it is the account's then. */
export function AccountDialog({ way: first, ...props }: OpenProps & { way: AccountWay }) {
  const { viewer, access } = useApp()
  const isOwner = access.personal === 'on'
  const [way, setWay] = useState<AccountWay | 'reset'>(first)
  const [told, setTold] = useState<string | null>(null)
  const done = ({ guest }: SignedIn) => {
    if (guest?.note) setTold(guest.note)
    else location.reload()
  }
  const hasChats = viewer?.guest === true
  const description = {
    in: hasChats ? 'The chats of this browser come along.' : undefined,
    up: isOwner
      ? 'The account takes along all that is on this computer. From then on, people sign in here.'
      : hasChats
        ? 'You keep the chats of this browser, and have them on your other devices.'
        : 'Your chats are on all your devices then.',
    reset: 'A link to set one is sent to the address of your account.',
  }[way]
  return (
    <Dialog
      {...props}
      onOpenChange={(open) => {
        // signed in by now
        if (told && way === 'in') location.reload()
        props.onOpenChange(open)
      }}
      title={told && way !== 'reset' ? 'You are signed in' : titles[way]}
      description={told ? undefined : description}
      className="w-[min(25rem,calc(100vw-2rem))]"
    >
      <div className="flex flex-col gap-4 overflow-y-auto p-5">
        {told ? (
          <>
            <p role="status">{told}</p>
            <Button
              look="primary"
              className="self-start"
              onClick={() => (way === 'reset' ? props.onOpenChange(false) : location.reload())}
            >
              Go on
            </Button>
          </>
        ) : (
          <>
            {way === 'in' && <SignInForm onDone={done} onForgotten={() => setWay('reset')} />}
            {way === 'up' && <SignUpForm onDone={done} />}
            {way === 'reset' && <ResetForm onTold={setTold} />}
            {way !== 'reset' && <OtherWays hasPasskeys={way === 'in'} onDone={done} />}
            {!isOwner && (
              <p className="text-muted text-sm">
                {way === 'up' ? 'You have an account? ' : 'No account yet? '}
                <TextButton onClick={() => setWay(way === 'up' ? 'in' : 'up')}>
                  {way === 'up' ? 'Sign in' : 'Sign up'}
                </TextButton>
              </p>
            )}
          </>
        )}
      </div>
    </Dialog>
  )
}

function SignInForm({ onDone, onForgotten }: { onDone(answer: SignedIn): void; onForgotten(): void }) {
  return (
    <AccountForm
      label="Sign in"
      fields={[email, password]}
      submit="Sign in"
      busy="Signing in…"
      send={async (given, signal) => onDone(await askIdentity<SignedIn>('sign-in/email', given, signal))}
      beside={
        <TextButton className="ml-auto" onClick={onForgotten}>
          Forgot the password?
        </TextButton>
      }
    />
  )
}

function SignUpForm({ onDone }: { onDone(answer: SignedIn): void }) {
  return (
    <AccountForm
      label="Sign up"
      fields={[
        { name: 'name', label: 'Name', type: 'text', autoComplete: 'name', optional: true },
        email,
        {
          ...password,
          autoComplete: 'new-password',
          note: '10 characters or more. Several words that do not belong together are good.',
        },
      ]}
      submit="Sign up"
      busy="Signing up…"
      send={async ({ name = '', email: address = '', password: secret = '' }, signal) => {
        const who = name.trim() || (address.split('@')[0] ?? '')
        await askIdentity('sign-up/email', { name: who, email: address, password: secret }, signal)
        const given = { email: address, password: secret }
        const answer = await askIdentity<SignedIn>('sign-in/email', given, signal).catch((error: unknown) => {
          // the answer to signing up does not tell whether the address was taken
          if (problemOf(error).status !== 401) throw error
          throw refusal(
            'not_signed_in',
            'This did not sign you in. If you have an account with this address, sign in with its password.',
          )
        })
        onDone(answer)
      }}
    />
  )
}

function ResetForm({ onTold }: { onTold(words: string): void }) {
  return (
    <AccountForm
      label="Set a new password"
      fields={[email]}
      submit="Send the link"
      busy="Sending…"
      send={async (given, signal) =>
        onTold((await askIdentity<{ detail: string }>('request-password-reset', given, signal)).detail)
      }
    />
  )
}

/** The question of an app that is asked on this page: who signs in elsewhere comes back to it. */
function questionHere(): string | undefined {
  const { pathname, search } = location
  if (pathname !== authorizePath) return undefined
  // as the identity service takes it: an asterisk alone would not be encoded
  return `${pathname}?${new URLSearchParams(search)}`.replaceAll('*', '%2A')
}

const serviceNames = { github: 'GitHub', google: 'Google' }

/** A passkey, and the services that the operator has set up. */
function OtherWays({ hasPasskeys: asked, onDone }: { hasPasskeys: boolean; onDone(answer: SignedIn): void }) {
  const { access } = useApp()
  const isOnClient = useOnClient()
  const [problem, setProblem] = useState<string | null>(null)
  const attempt = (work: () => Promise<void>) => {
    setProblem(null)
    work().catch((error: unknown) => setProblem(problemOf(error, unreached).detail))
  }
  const hasPasskeys = asked && isOnClient && canUsePasskeys(access.passkeyHost)
  if (!hasPasskeys && access.services.length === 0) return null
  return (
    <div className="flex flex-col gap-2 border-line border-t pt-4">
      {hasPasskeys && (
        <Button onClick={() => attempt(async () => onDone(await signInWithPasskey()))}>
          <Fingerprint size={16} aria-hidden />
          Sign in with a passkey
        </Button>
      )}
      {access.services.map((provider) => (
        <Button
          key={provider}
          onClick={() =>
            attempt(async () => {
              location.assign(
                (await askIdentity<{ url: string }>('sign-in/social', { provider, back: questionHere() }))
                  .url,
              )
            })
          }
        >
          Continue with {serviceNames[provider]}
        </Button>
      ))}
      {problem && (
        <p role="alert" className="text-danger text-sm">
          {problem}
        </p>
      )}
    </div>
  )
}

function TextButton({ className = '', ...props }: { className?: string; onClick(): void; children: string }) {
  return (
    <button
      type="button"
      className={`${className} text-accent underline decoration-1 underline-offset-4 touch:min-h-11`}
      {...props}
    />
  )
}
