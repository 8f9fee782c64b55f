'use client'

import { useRef, useState } from 'react'
import { getJson } from '@/components/app/api'
import { useApp } from '@/components/app/app-context'
import { useLookedAt } from '@/components/app/use-looked-at'
import { SettingsPage } from '@/components/settings/settings-page'
import type { ShareLink } from '@/lib/protocol'
import { ShareRow } from './share-row'

/** A person's links to chats: their scope, how often they were opened, and their end. */
export function LinksPage({ shares: stored }: { shares: readonly ShareLink[] }) {
  const { api } = useApp()
  const [shares, setShares] = useState(stored)
  const [said, setSaid] = useState('')
  const heading = useRef<HTMLHeadingElement>(null)
  useLookedAt(() => {
    // the links stay where the server cannot be reached
    getJson<{ shares: ShareLink[] }>(api, '/api/shares').then((answer) => setShares(answer.shares), nothing)
  })
  return (
    <SettingsPage title="Links" label="Links to your chats">
      <h2 ref={heading} tabIndex={-1} className="font-medium text-lg outline-none">
        Links to your chats
      </h2>
      <p className="mt-1 text-muted">
        A link can be read by everyone who has it. A link cannot be shown again, since only a hash of it is
        kept: for another copy, make a new one with Share on a branch or a message. Views are counted without
        cookies, once in half an hour for each reader; programs and your own visits do not count.
      </p>
      <ul className="mt-6 border-line border-t">
        {shares.map((share) => (
          <ShareRow
            key={share.id}
            share={share}
            withChat
            onRevoked={() => {
              setShares((before) => before.filter(({ id }) => id !== share.id))
              setSaid('The link is revoked.')
              heading.current?.focus()
            }}
          />
        ))}
        {shares.length === 0 && (
          <li className="py-4 text-muted">
            You have shared nothing. Share stands in the menu of every message and of every branch.
          </li>
        )}
      </ul>
      <p role="status" className="mt-3 text-accent text-sm empty:hidden">
        {said}
      </p>
    </SettingsPage>
  )
}

const nothing = () => undefined
