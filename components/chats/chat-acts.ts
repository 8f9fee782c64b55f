import type { Api } from '@/components/app/api'
import type { App } from '@/components/app/app-context'
import { type Keeping, type ListQuery, namesOf, type Picked } from '@/components/app/listed'
import { problemOf, unreached } from '@/components/app/problem'
import { problemToast, undoToast } from '@/components/app/toasts'
import type { ChatId } from '@/lib/events'
import { type ChangedChats, type ChatSummary, tagKey } from '@/lib/protocol'

interface OnList extends Pick<App, 'noteChat'> {
  api: Api
  /** reads the list anew */
  ask(wanted: Partial<ListQuery>): void
  forgetChats(ids: readonly ChatId[]): void
  isKnown(id: ChatId): boolean
}

/** Bulk actions on the chat list: each is one request, and the list shows it. */
export function chatActs({ api, ask, noteChat, forgetChats, isKnown }: OnList): Pick<
  App,
  'archiveChats' | 'removeChats'
> & {
  keepChats(picked: Picked, keeping: Keeping): Promise<ChangedChats | null>
} {
  const send = async (method: 'PATCH' | 'DELETE', body: object): Promise<Response | null> => {
    const headers = { 'content-type': 'application/json' }
    try {
      return await api.fetch('/api/chats', { method, headers, body: JSON.stringify(body) })
    } catch (error) {
      problemToast(problemOf(error, unreached))
      return null
    }
  }

  /** The list shows the change at once, and its former state when the server refuses. */
  const keepChats = async (picked: Picked, keeping: Keeping): Promise<ChangedChats | null> => {
    const before = 'chats' in picked ? picked.chats : []
    for (const chat of before) noteChat({ id: chat.id, ...keptBy(chat, keeping) })
    const response = await send('PATCH', { ...whichOf(picked), ...keeping })
    if (!response) {
      for (const { id, pinnedAt, archivedAt, tags } of before) noteChat({ id, pinnedAt, archivedAt, tags })
      return null
    }
    if (!('chats' in picked)) ask({})
    return (await response.json()) as ChangedChats
  }

  return {
    keepChats,
    async archiveChats(picked, archived) {
      const keeping = keepChats(picked, { archived })
      if (!archived) {
        await keeping
        return
      }
      const idsOf = async () => (await keeping)?.ids ?? []
      // at once, as the list: until the answer is here, Undo would take back the move before
      const withdraw = undoToast(`Archived ${namesOf(picked)}`, async () => {
        const ids = await idsOf()
        if (ids.length === 0 || !(await send('PATCH', { ids, archived: false }))) return
        for (const id of ids) if (isKnown(id)) noteChat({ id, archivedAt: null })
        if (!('chats' in picked)) ask({})
      })
      if ((await idsOf()).length === 0) withdraw()
    },
    async removeChats(picked) {
      if (!(await send('DELETE', whichOf(picked)))) return false
      if ('chats' in picked) forgetChats(picked.chats.map(({ id }) => id))
      else ask({})
      return true
    },
  }
}

/** The chats as a request names them. */
const whichOf = (picked: Picked) =>
  'chats' in picked
    ? { ids: picked.chats.map(({ id }) => id) }
    : { filter: picked.filter, except: picked.except }

/** A chat as it is kept from now on. */
function keptBy(chat: ChatSummary, { pinned, archived, tags }: Keeping): Partial<ChatSummary> {
  const gone = new Set(tags?.remove?.map(tagKey))
  const here = new Set(chat.tags.map(tagKey))
  const added = tags?.add?.filter((tag) => !here.has(tagKey(tag))) ?? []
  return {
    ...(pinned !== undefined && { pinnedAt: pinned ? (chat.pinnedAt ?? Date.now()) : null }),
    ...(archived !== undefined && { archivedAt: archived ? (chat.archivedAt ?? Date.now()) : null }),
    ...(tags && {
      tags: [...chat.tags, ...added]
        .filter((tag) => !gone.has(tagKey(tag)))
        .sort((a, b) => a.localeCompare(b, 'en')),
    }),
  }
}
