import type { Metadata } from 'next'
import { DeadLink } from '@/components/shared/dead-link'

export const metadata: Metadata = { title: 'This link opens nothing' }

export default function LinkNotFound() {
  return <DeadLink />
}
