import { newChatView } from '@/lib/server/pages/pages'
import { OpenedChat } from './c/[id]/opened-chat'

/** `/`: a new chat. It is stored with its first message. */
export default async function NewChatPage() {
  const view = await newChatView()
  return <OpenedChat key={view.graph.chatId} view={view} isNew />
}
