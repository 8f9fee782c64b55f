'use client'

import { useState } from 'react'
import { AccountForm } from '@/components/account/account-form'
import { askIdentity, refusal } from '@/components/account/ask-identity'
import { newChatPath } from '@/components/app/paths'
import { Button } from '@/components/ui/button'
import { SettingsSection } from './settings-page'

/** Deletes the account, or the guest, with everything: after a word that is typed, and the password where there is one. */
export function DeleteAccount({ isGuest, hasPassword }: { isGuest: boolean; hasPassword: boolean }) {
  const [asked, setAsked] = useState(false)
  return (
    <SettingsSection
      title={isGuest ? 'Delete everything' : 'Delete account'}
      note="Every chat, file, key and setting goes at once, on every device. It cannot be undone."
    >
      {asked ? (
        <div className="mt-4 rounded-lg border border-line p-4">
          <p className="mb-4 text-muted">
            To keep your chats,{' '}
            <a href="/settings/data" className="text-accent underline underline-offset-4">
              export them first
            </a>
            .
          </p>
          <AccountForm
            label={isGuest ? 'Delete everything' : 'Delete account'}
            danger
            fields={[
              { name: 'confirm', label: 'Type “delete”', type: 'text', autoComplete: 'off' },
              ...(hasPassword
                ? [
                    {
                      name: 'current',
                      label: 'Your password',
                      type: 'password' as const,
                      autoComplete: 'current-password',
                    },
                  ]
                : []),
            ]}
            submit={isGuest ? 'Delete everything' : 'Delete the account'}
            busy="Deleting…"
            onCancel={() => setAsked(false)}
            send={async ({ confirm = '', current }, signal) => {
              if (confirm.trim().toLowerCase() !== 'delete') {
                throw refusal('invalid', 'confirm: Type the word “delete”.')
              }
              const given = { confirm: 'delete', ...(hasPassword && { password: current }) }
              await askIdentity('delete-account', given, signal)
              location.assign(newChatPath)
            }}
          />
        </div>
      ) : (
        <Button className="mt-4 text-danger" onClick={() => setAsked(true)}>
          {isGuest ? 'Delete everything…' : 'Delete the account…'}
        </Button>
      )}
    </SettingsSection>
  )
}
