'use client'

import { useApp } from '@/components/app/app-context'
import type { Remote } from '@/lib/protocol'
import { OwnServers } from '../own-servers'
import { SettingsPage } from '../settings-page'
import { RemoteForm } from './remote-form'

/** A person's other servers: added, which asks them whether they take the key, and removed here. */
export function RemoteSettingsPage({ remotes }: { remotes: readonly Remote[] }) {
  const { noteRemotes } = useApp()
  return (
    <SettingsPage title="Remotes" label="Remotes">
      <h2 className="font-medium text-lg">Your other servers</h2>
      <p className="mt-1 text-muted">
        With a remote, a chat lives in two places: on your laptop and on a server, or with you and at work.
        Push sends what the other side lacks, pull brings what you lack, and both keep every message and
        branch. Nothing is sent before you push.
      </p>
      <OwnServers
        stored={remotes}
        empty="You have no remote yet."
        opens="Add a remote"
        secret="key"
        factOf={(remote) => !remote.has_key && 'without a key'}
        pathOf={({ name }) => `/api/remotes/${encodeURIComponent(name)}`}
        removedWords={({ name }) => `${name} is removed. The chats stay on both sides.`}
        onChange={(next) => noteRemotes(next.map(({ name }) => name))}
        form={({ onAdded, onCancel }) => (
          <RemoteForm
            onCancel={onCancel}
            onAdded={({ writes, ...remote }) => onAdded(remote, addedWords(remote.name, writes))}
          />
        )}
      />
    </SettingsPage>
  )
}

const addedWords = (name: string, writes: boolean): string =>
  writes
    ? `${name} is added. To send a chat there, open ⋯ in the chat and choose Push.`
    : `${name} is added. Its key may only read: you can pull from it, and not push.`
