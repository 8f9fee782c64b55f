'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import type { ProviderKey } from '@/lib/protocol'
import { ProviderSection } from './provider-section'
import { SettingsPage } from './settings-page'

interface ModelSettingsPageProps {
  providers: readonly { name: string; label: string }[]
  keys: readonly ProviderKey[]
}

/** A person's keys for model providers: saved, tested and removed here. */
export function ModelSettingsPage({ providers, keys: stored }: ModelSettingsPageProps) {
  const router = useRouter()
  const [keys, setKeys] = useState(stored)
  const change = (provider: string, key: ProviderKey | null) => {
    setKeys((before) => [...before.filter((other) => other.provider !== provider), ...(key ? [key] : [])])
    // the models to choose from are others now
    router.refresh()
  }
  return (
    <SettingsPage title="Models" label="Keys">
      <h2 className="font-medium text-lg">Your keys</h2>
      <p className="mt-1 text-muted">
        With a key of your own, the models of its provider answer in your chats. A key is tested, then stored
        encrypted; it is never shown again.
      </p>
      <ul className="mt-6 border-line border-t">
        {providers.map((provider) => (
          <ProviderSection
            key={provider.name}
            provider={provider}
            stored={keys.find((key) => key.provider === provider.name) ?? null}
            onChange={(key) => change(provider.name, key)}
          />
        ))}
      </ul>
    </SettingsPage>
  )
}
