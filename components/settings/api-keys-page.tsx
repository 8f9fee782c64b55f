'use client'

import { useState } from 'react'
import { AccountForm } from '@/components/account/account-form'
import { useApp } from '@/components/app/app-context'
import { LoadFailed } from '@/components/app/notice'
import { problemOf, unreached } from '@/components/app/problem'
import { dateInWords } from '@/components/app/time-words'
import { useLoaded } from '@/components/session/read-chat'
import { Button } from '@/components/ui/button'
import { Segmented } from '@/components/ui/segmented'
import { Skeleton } from '@/components/ui/skeleton'
import type { ListedKey } from '@/lib/protocol'
import { ConnectedApps } from './connected-apps'
import { SettingsPage, SettingsSection } from './settings-page'
import { type Outcome, OutcomeLine, SettingsRow } from './settings-row'

/** The keys of a person's scripts and agents: made, told once, and revoked; and the apps that came without one. */
export function ApiKeysPage() {
  const { api, viewer } = useApp()
  const [keys, setKeys] = useState<readonly ListedKey[] | null>(viewer ? null : [])
  const [version, setVersion] = useState(0)
  const [adding, setAdding] = useState(false)
  const [made, setMade] = useState<{ name: string; key: string } | null>(null)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const { problem, again } = useLoaded<{ keys: ListedKey[] }>(
    viewer ? '/api/keys' : null,
    (answer) => setKeys(answer.keys),
    version,
  )
  const revoke = async ({ id, name }: ListedKey) => {
    try {
      await api.fetch(`/api/keys/${id}`, { method: 'DELETE' })
      setOutcome({ ok: true, words: `${name} is revoked. What uses it is refused from now on.` })
      setVersion(version + 1)
    } catch (error) {
      setOutcome({ ok: false, words: problemOf(error, unreached).detail })
    }
  }
  return (
    <SettingsPage title="API keys">
      <SettingsSection
        title="Your API keys"
        note={
          <>
            A script or an agent with a key acts as you.{' '}
            <a href="/docs/agents" className="text-accent underline underline-offset-4">
              How to connect one
            </a>
            {' · '}
            <a href="/docs/api" className="text-accent underline underline-offset-4">
              What it can do
            </a>
          </>
        }
      >
        {viewer?.guest && (
          <p className="mt-3 text-sm text-warn">
            You are a guest: your keys end when you sign in to an account.
          </p>
        )}
        {problem ? (
          <LoadFailed problem={problem} onAgain={again} />
        ) : keys ? (
          <ul className="mt-6 border-line border-t">
            {keys.map((key) => (
              <SettingsRow key={key.id} title={<bdi>{key.name}</bdi>} facts={factsOf(key)}>
                <Button aria-label={`Revoke ${key.name}`} onClick={() => void revoke(key)}>
                  Revoke
                </Button>
              </SettingsRow>
            ))}
            {keys.length === 0 && (
              <li className="border-line border-b py-4 text-muted">You have no API key.</li>
            )}
          </ul>
        ) : (
          <Skeleton className="mt-6 h-16" />
        )}
        <div className="mt-4">
          {adding ? (
            <NewKeyForm
              onCancel={() => setAdding(false)}
              onMade={(key) => {
                setAdding(false)
                setMade(key)
                setVersion(version + 1)
              }}
            />
          ) : (
            <Button
              onClick={() => {
                setOutcome(null)
                setMade(null)
                setAdding(true)
              }}
            >
              Make a key
            </Button>
          )}
        </div>
        {made && <MadeKey name={made.name} secret={made.key} />}
        <OutcomeLine outcome={outcome} />
      </SettingsSection>
      <ConnectedApps />
    </SettingsPage>
  )
}

const scopeOptions = [
  { value: 'all', label: 'Read and write' },
  { value: 'read', label: 'Read only' },
] as const

const endOptions = [
  { value: '30', label: '30 days' },
  { value: '365', label: 'A year' },
  { value: 'never', label: 'Until revoked' },
] as const

const DAY = 86_400_000

function NewKeyForm({
  onCancel,
  onMade,
}: {
  onCancel(): void
  onMade(key: { name: string; key: string }): void
}) {
  const { api } = useApp()
  const [scope, setScope] = useState<'all' | 'read'>('all')
  const [end, setEnd] = useState<'30' | '365' | 'never'>('365')
  return (
    <div className="flex flex-col gap-4 rounded-lg border border-line p-4">
      <div className="flex flex-wrap gap-3">
        <Segmented label="What it may do" value={scope} options={scopeOptions} onChange={setScope} />
        <Segmented label="How long it is valid" value={end} options={endOptions} onChange={setEnd} />
      </div>
      <AccountForm
        label="New API key"
        fields={[
          {
            name: 'name',
            label: 'Name',
            type: 'text',
            autoComplete: 'off',
            note: 'To recognise it by, like “nightly report”.',
          },
        ]}
        submit="Make the key"
        busy="Making…"
        onCancel={onCancel}
        send={async ({ name }) => {
          const response = await api.fetch('/api/keys', {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({
              name,
              scopes: scope === 'all' ? ['read', 'write'] : ['read'],
              expires_at: end === 'never' ? null : new Date(Date.now() + Number(end) * DAY).toISOString(),
            }),
          })
          onMade((await response.json()) as { name: string; key: string })
        }}
      />
    </div>
  )
}

/** A new key, told once. */
function MadeKey({ name, secret }: { name: string; secret: string }) {
  const [copied, setCopied] = useState(false)
  return (
    <section aria-label="New key" className="mt-4 rounded-lg border border-accent bg-accent-soft p-4">
      <p>
        This is <bdi className="font-medium">{name}</bdi>. Copy it now: it is not shown again.
      </p>
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <code className="min-w-0 flex-1 select-all break-all rounded-md border border-line bg-canvas px-3 py-2 font-mono text-sm">
          {secret}
        </code>
        <Button
          onClick={() => {
            navigator.clipboard.writeText(secret).then(
              () => setCopied(true),
              () => setCopied(false),
            )
          }}
        >
          {copied ? 'Copied' : 'Copy'}
        </Button>
      </div>
    </section>
  )
}

function factsOf({ hint, scopes, last_used_at, expires_at }: ListedKey): string {
  const now = new Date()
  const day = (at: string) => dateInWords(Date.parse(at), now)
  const isOver = expires_at !== null && Date.parse(expires_at) <= now.getTime()
  return [
    `${hint}…`,
    scopes.includes('write') ? 'reads and writes' : 'reads only',
    last_used_at ? `last used ${day(last_used_at)}` : 'not used yet',
    expires_at === null ? 'until revoked' : `${isOver ? 'expired' : 'until'} ${day(expires_at)}`,
  ].join(' · ')
}
