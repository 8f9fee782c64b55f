import type { Metadata } from 'next'
import { KeyboardPage } from '@/components/settings/keyboard-page'

export const metadata: Metadata = { title: 'Keyboard' }

/** `/settings/keyboard`: every key, by where it works. */
export default function Page() {
  return <KeyboardPage />
}
