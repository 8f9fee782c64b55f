import type { ChatId } from '@/lib/events'

/** The address of an action or a part of a remote. */
export const remoteUrl = (remote: string, what: string): string =>
  `/api/remotes/${encodeURIComponent(remote)}/${what}`

export const remoteStateUrl = (remote: string, chatId: ChatId): string =>
  `${remoteUrl(remote, 'state')}?${new URLSearchParams({ chat_id: chatId })}`
