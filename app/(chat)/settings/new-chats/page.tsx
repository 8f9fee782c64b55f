import type { Metadata } from 'next'
import { NewChatSettingsPage } from '@/components/settings/new-chat-settings-page'
import { readNewChatSettings } from '@/lib/server/pages/pages'

export const metadata: Metadata = { title: 'New chats' }

/** `/settings/new-chats`: what a person's new chats begin with. */
export default async function NewChatsPage() {
  return <NewChatSettingsPage {...(await readNewChatSettings())} />
}
