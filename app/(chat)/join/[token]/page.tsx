import type { Metadata } from 'next'
import { JoinPage } from '@/components/people/join-page'

export const metadata: Metadata = {
  title: 'Invitation',
  referrer: 'no-referrer',
  robots: { index: false, follow: false },
}

/** `/join/{token}`: an invitation to a chat, for the person who opens it to take. */
export default async function InvitationPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params
  return <JoinPage token={token} />
}
