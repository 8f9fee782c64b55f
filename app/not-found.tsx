import type { Metadata } from 'next'
import { MessagePage } from '@/components/app/message-page'

export const metadata: Metadata = { title: 'There is no such page' }

export default function NotFound() {
  return (
    <MessagePage title="There is no such page" link="Go to your chats">
      No page has this address. A letter of it may be missing, or the page has moved.
    </MessagePage>
  )
}
