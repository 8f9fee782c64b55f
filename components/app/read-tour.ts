import type { ChatId } from '@/lib/events'
import { type PackedHistory, Timeline, tourOf, unpackHistory } from '@/lib/graph'
import { type Api, getJson } from './api'
import type { Tour } from './app-context'

/** Reads what a tour through a chat needs; its script is made of the graph that the page holds. */
export async function readTour(api: Api, chatId: ChatId): Promise<Tour> {
  const packed = await getJson<PackedHistory>(api, `/api/chats/${encodeURIComponent(chatId)}/history?since=0`)
  const { movements } = unpackHistory(packed)
  return {
    chatId,
    scriptOf(index) {
      const timeline = new Timeline(index, movements)
      return { timeline, stops: tourOf(timeline) }
    },
  }
}
