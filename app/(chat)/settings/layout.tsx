import type { ReactNode } from 'react'
import { SettingsFrame } from '@/components/settings/settings-frame'

/** The list of settings pages, around the one that is open. */
export default function SettingsLayout({ children }: { children: ReactNode }) {
  return <SettingsFrame>{children}</SettingsFrame>
}
