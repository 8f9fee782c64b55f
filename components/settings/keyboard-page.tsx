'use client'

import { KeyList } from '@/components/actions/key-list'
import { SettingsPage, SettingsSection } from './settings-page'

/** Every key, as the help dialog lists them. */
export function KeyboardPage() {
  return (
    <SettingsPage title="Keyboard">
      <SettingsSection title="Keys" note="They work whenever you are not typing.">
        <KeyList />
      </SettingsSection>
    </SettingsPage>
  )
}
