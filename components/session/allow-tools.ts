import { type Api, getJson } from '@/components/app/api'
import type { BranchId, ChatId } from '@/lib/events'
import type { ChatContext, ContextChange } from '@/lib/protocol'
import { chatUrl } from './read-chat'

/** Has tools run without asking on a branch, from its next turn on. Rejects when the context is changed at the same time. */
export async function allowTools(
  api: Api,
  { chatId, branchId, names }: { chatId: ChatId; branchId: BranchId; names: readonly string[] },
): Promise<void> {
  const url = chatUrl('chats', chatId, 'context', { branch: branchId })
  const { context_id, tools } = await getJson<ChatContext>(api, url)
  const allowed = Object.fromEntries(names.map((name) => [name, 'always' as const]))
  const change: ContextChange = { expected_context_id: context_id, tools: { ...tools, ...allowed } }
  await api.fetch(url, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(change),
  })
}
