import { ChatWorkspace } from '@/components/workspace/chat-workspace'
import { newChatView } from '@/lib/server/pages/pages'
import * as actions from './c/[id]/actions'

/** `/`: a new chat. It is stored with its first message. */
export default async function NewChatPage() {
  const view = await newChatView()
  return <ChatWorkspace key={view.graph.chatId} view={view} actions={{ ...actions }} isNew />
}
