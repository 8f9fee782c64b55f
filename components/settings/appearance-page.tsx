'use client'

import { themeActions } from '@/components/actions/on-app'
import { useNotifying } from '@/components/app/notifying'
import { Segmented } from '@/components/ui/segmented'
import { Switch } from '@/components/ui/switch'
import { useLook } from '@/components/ui/use-look'
import { useTheme } from '@/components/ui/use-theme'
import { SettingsPage, SettingsSection } from './settings-page'
import { SettingsRow } from './settings-row'

const themes = themeActions.map(({ id, short }) => ({
  value: id,
  label: id === 'system' ? 'System' : short,
}))
const densities = [
  { value: 'comfortable', label: 'Comfortable' },
  { value: 'compact', label: 'Compact' },
] as const
const textSizes = [
  { value: 'small', label: 'Small' },
  { value: 'usual', label: 'Usual' },
  { value: 'large', label: 'Large' },
  { value: 'largest', label: 'Largest' },
] as const

/** Looks of the pages in this browser. */
export function AppearancePage() {
  const { choice, choose } = useTheme()
  const [density, setDensity] = useLook('density', 'comfortable')
  const [textSize, setTextSize] = useLook('textSize', 'usual')
  return (
    <SettingsPage title="Appearance">
      <SettingsSection
        title="Appearance"
        note="This browser remembers it; your other devices look as they did."
      >
        <ul className="mt-4 border-line border-t">
          <SettingsRow title="Theme" facts="Light, dark, or the same as the system.">
            <Segmented label="Theme" value={choice} options={themes} onChange={choose} />
          </SettingsRow>
          <SettingsRow
            title="Density"
            facts="How much space lists and buttons take. Touch screens keep theirs."
          >
            <Segmented label="Density" value={density} options={densities} onChange={setDensity} />
          </SettingsRow>
          <SettingsRow
            title="Text size"
            facts="Of the messages. Everything else follows the zoom of the browser."
          >
            <Segmented label="Text size" value={textSize} options={textSizes} onChange={setTextSize} />
          </SettingsRow>
          <NotificationsRow />
        </ul>
        <div aria-hidden className="mt-6 rounded-lg border border-line p-4">
          <p className="reading">
            Every message is kept, and every alternative is a branch. This is how the messages read.
          </p>
        </div>
      </SettingsSection>
    </SettingsPage>
  )
}

function NotificationsRow() {
  const { on, isPossible, isDenied, change } = useNotifying()
  const facts = !isPossible
    ? 'This browser has none.'
    : isDenied
      ? 'This browser blocks them. Allow them for this site in the settings of the browser, then switch them on here.'
      : 'When a reply ends, or a tool waits for you, while you look elsewhere.'
  return (
    <SettingsRow title="Notifications" facts={facts}>
      {isPossible && <Switch label="Notifications" checked={on} onChange={(next) => void change(next)} />}
    </SettingsRow>
  )
}
