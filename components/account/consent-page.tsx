'use client'

import { Check, ExternalLink, ShieldAlert } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useApp } from '@/components/app/app-context'
import { apiKeysPath, newChatPath } from '@/components/app/paths'
import { problemOf, unreached } from '@/components/app/problem'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import type { AskedConsent } from '@/lib/protocol'

/**
 * Page on which an app asks a person for access: it names the app, its rights and the address that gets the answer.
 */
export function ConsentPage(consent: AskedConsent) {
  if (consent.kind === 'broken')
    return (
      <ConsentFrame title="This app cannot be connected">
        <p role="alert">{consent.problem}</p>
        <p className="text-muted">Nothing was granted, and the app was not told.</p>
        <a href={newChatPath} className="self-start text-accent underline underline-offset-4">
          Go to your chats
        </a>
      </ConsentFrame>
    )
  if (consent.kind === 'refused')
    return (
      <ConsentFrame title={<AppName {...consent.app} after=" cannot be connected" />}>
        <p role="alert">{consent.problem}</p>
        <p className="text-muted">Its request is not as this server needs it. Nothing was granted.</p>
        <LinkButton href={consent.back}>Back to {consent.app.place}</LinkButton>
      </ConsentFrame>
    )
  return <Asked {...consent} />
}

const choices = {
  read: {
    label: 'Read only',
    can: ['Read and search all your chats'],
  },
  both: {
    label: 'Read and write',
    can: [
      'Read and search all your chats',
      'Send messages with your models and keys, which may cost you',
      'Branch, checkpoint, merge and go back',
    ],
  },
  write: {
    label: 'Write only',
    can: [
      'Send messages with your models and keys, which may cost you',
      'Branch, checkpoint, merge and go back',
    ],
  },
} as const
type Choice = keyof typeof choices

const cannot = 'It cannot see your password or keys, change your account, or connect other apps.'

function Asked({ app, query, scopes, refusedAt }: Extract<AskedConsent, { kind: 'asked' }>) {
  const { api, viewer, openAccount } = useApp()
  const most: Choice = scopes.length === 2 ? 'both' : scopes.includes('write') ? 'write' : 'read'
  const offered: readonly Choice[] = most === 'both' ? ['both', 'read'] : [most]
  const [choice, setChoice] = useState<Choice>(most)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const person = viewer && !viewer.guest ? viewer : null

  const allow = async (id: string) => {
    setBusy(true)
    setProblem(null)
    try {
      const answer = await api.fetch('/api/oauth/grants', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query, person: id, scopes: choice === 'both' ? ['read', 'write'] : [choice] }),
      })
      const { redirect_to } = (await answer.json()) as { redirect_to: string }
      location.assign(redirect_to)
    } catch (error) {
      setProblem(problemOf(error, unreached).detail)
      setBusy(false)
    }
  }

  return (
    <ConsentFrame title={<AppName {...app} after=" asks for access to your chats" />}>
      <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-2 rounded-lg border border-line bg-raised px-4 py-3 text-sm">
        <dt className="text-muted">App</dt>
        <dd className="min-w-0 break-words font-medium">
          <bdi>{app.name}</bdi>
        </dd>
        <dt className="text-muted">Leads back to</dt>
        <dd className="min-w-0 break-words font-medium">
          <bdi>{app.place}</bdi>
        </dd>
        <dt className="text-muted">Account</dt>
        <dd className="min-w-0 break-words">{person ? <bdi>{person.name}</bdi> : 'not signed in'}</dd>
      </dl>
      <p className="flex gap-2 text-muted text-sm">
        <ShieldAlert size={16} aria-hidden className="mt-0.5 shrink-0 text-warn" />
        An app chooses its own name. Go on only if you have just begun this yourself, in an app that you
        trust.
      </p>
      {person ? (
        <>
          <Choices offered={offered} value={choice} onChange={setChoice} />
          <p className="text-muted text-sm">
            {cannot} You can{' '}
            <a href={apiKeysPath} className="text-accent underline underline-offset-4">
              disconnect it
            </a>{' '}
            at any time.
          </p>
          <div className="flex flex-wrap items-center gap-2">
            <Button look="primary" disabled={busy} onClick={() => void allow(person.id)}>
              {busy ? 'Connecting…' : 'Allow'}
            </Button>
            <LinkButton href={refusedAt}>Cancel</LinkButton>
          </div>
          {problem && (
            <p role="alert" className="text-danger text-sm">
              {problem}
            </p>
          )}
        </>
      ) : (
        <>
          <p>
            {viewer
              ? 'You are a guest here, and a guest cannot connect an app: everything of a guest hangs on this browser. Sign in to an account first; your chats come along.'
              : 'To connect an app, sign in to your account first.'}{' '}
            You come back to this question.
          </p>
          <div className="flex flex-wrap items-center gap-2">
            <Button look="primary" onClick={() => openAccount('in')}>
              Sign in
            </Button>
            <Button onClick={() => openAccount('up')}>Sign up</Button>
            <LinkButton href={refusedAt}>Cancel</LinkButton>
          </div>
        </>
      )}
    </ConsentFrame>
  )
}

/** Choice among the rights that the app asked for. */
function Choices({
  offered,
  value,
  onChange,
}: {
  offered: readonly Choice[]
  value: Choice
  onChange(value: Choice): void
}) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-2 font-medium">It may then</legend>
      {offered.map((choice) => (
        <label
          key={choice}
          className={cn(
            'flex cursor-pointer gap-3 rounded-lg border p-4 has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-accent',
            value === choice ? 'border-accent bg-accent-soft' : 'border-line hover:border-line-strong',
          )}
        >
          <input
            type="radio"
            name="scope"
            className="mt-1 size-4 shrink-0 accent-accent outline-none"
            checked={value === choice}
            onChange={() => onChange(choice)}
          />
          <span className="min-w-0">
            <span className="font-medium">{choices[choice].label}</span>
            <span className="mt-1 flex flex-col gap-1 text-muted text-sm">
              {choices[choice].can.map((words) => (
                <span key={words} className="flex gap-2">
                  <Check size={14} aria-hidden className="mt-0.5 shrink-0 text-accent" />
                  {words}
                </span>
              ))}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

function ConsentFrame({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <section
      aria-label="Connect an app"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll what has the focus
      tabIndex={0}
      className="min-h-0 flex-1 overflow-y-auto outline-none"
    >
      <div className="mx-auto flex max-w-[480px] flex-col gap-5 px-4 pt-[8dvh] pb-16">
        <p className="text-faint text-sm">Ramify</p>
        <h1 className="break-words font-medium text-xl">{title}</h1>
        {children}
      </div>
    </section>
  )
}

const AppName = ({ name, after }: { name: string; after: string }) => (
  <>
    <bdi>{name}</bdi>
    {after}
  </>
)

/** Leads to the app; no other site learns this address from it. */
const LinkButton = ({ href, children }: { href: string; children: ReactNode }) => (
  <a
    href={href}
    rel="noreferrer"
    className="inline-flex h-8 items-center gap-2 rounded-md px-3 font-medium text-muted text-sm hover:bg-ink/6 hover:text-ink touch:h-11"
  >
    {children}
    <ExternalLink size={14} aria-hidden />
  </a>
)
