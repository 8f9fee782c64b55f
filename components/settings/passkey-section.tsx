'use client'

import { useState } from 'react'
import { AccountForm } from '@/components/account/account-form'
import { addPasskey, canUsePasskeys } from '@/components/account/passkeys'
import { useApp } from '@/components/app/app-context'
import { problemOf, unreached } from '@/components/app/problem'
import { dateInWords } from '@/components/app/time-words'
import { useOnClient } from '@/components/app/use-on-client'
import { Button } from '@/components/ui/button'
import type { OwnAccount } from '@/lib/protocol'
import { SettingsSection } from './settings-page'
import { type Outcome, OutcomeLine, SettingsRow } from './settings-row'

/** The passkeys of an account: added with a name, renamed, and removed. */
export function PasskeySection({
  passkeys,
  onChanged,
}: {
  passkeys: OwnAccount['passkeys']
  onChanged(): void
}) {
  const { api, access } = useApp()
  const isOnClient = useOnClient()
  const [adding, setAdding] = useState(false)
  const [renaming, setRenaming] = useState<string | null>(null)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const canAdd = isOnClient && canUsePasskeys(access.passkeyHost)
  const remove = async (id: string, name: string) => {
    try {
      await api.fetch(`/api/account/passkeys/${id}`, { method: 'DELETE' })
      setOutcome({ ok: true, words: `${name} is removed. It does not sign in any more.` })
      onChanged()
    } catch (error) {
      setOutcome({ ok: false, words: problemOf(error, unreached).detail })
    }
  }
  return (
    <SettingsSection
      title="Passkeys"
      note={
        isOnClient && !canAdd
          ? `A passkey signs in with a fingerprint, a face or the device’s code. Passkeys of this server work at ${access.passkeyHost}.`
          : 'A passkey signs in with a fingerprint, a face or the device’s code: there is nothing to remember, and nothing to steal.'
      }
    >
      <ul className="mt-4 border-line border-t">
        {passkeys.map(({ id, name, created_at }) =>
          id === renaming ? (
            <li key={id} className="border-line border-b py-3">
              <AccountForm
                label={`Rename ${name}`}
                fields={[{ ...nameField, initial: name }]}
                submit="Rename"
                busy="Renaming…"
                onCancel={() => setRenaming(null)}
                send={async ({ name: next = '' }, signal) => {
                  await api.fetch(`/api/account/passkeys/${id}`, {
                    method: 'PATCH',
                    signal,
                    headers: { 'content-type': 'application/json' },
                    body: JSON.stringify({ name: next.trim() }),
                  })
                  setRenaming(null)
                  setOutcome({ ok: true, words: `It is called ${next.trim()} now.` })
                  onChanged()
                }}
              />
            </li>
          ) : (
            <SettingsRow
              key={id}
              title={<bdi>{name}</bdi>}
              facts={`Added ${dateInWords(Date.parse(created_at), new Date())}`}
            >
              <Button
                aria-label={`Rename ${name}`}
                onClick={() => {
                  setOutcome(null)
                  setRenaming(id)
                }}
              >
                Rename
              </Button>
              <Button aria-label={`Remove ${name}`} onClick={() => void remove(id, name)}>
                Remove
              </Button>
            </SettingsRow>
          ),
        )}
        {passkeys.length === 0 && (
          <li className="border-line border-b py-4 text-muted">You have no passkey.</li>
        )}
      </ul>
      {canAdd && (
        <div className="mt-4">
          {adding ? (
            <AccountForm
              label="New passkey"
              fields={[{ ...nameField, initial: 'This device', note: 'To recognise it by.' }]}
              submit="Add"
              busy="Waiting for your device…"
              onCancel={() => setAdding(false)}
              send={async ({ name = '' }, signal) => {
                await addPasskey(name.trim(), signal)
                setAdding(false)
                setOutcome({ ok: true, words: `${name.trim()} is added.` })
                onChanged()
              }}
            />
          ) : (
            <Button
              onClick={() => {
                setOutcome(null)
                setAdding(true)
              }}
            >
              Add a passkey
            </Button>
          )}
        </div>
      )}
      <OutcomeLine outcome={outcome} />
    </SettingsSection>
  )
}

const nameField = { name: 'name', label: 'Name', type: 'text', autoComplete: 'off' } as const
