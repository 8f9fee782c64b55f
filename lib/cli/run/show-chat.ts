import { setTimeout as sleep } from 'node:timers/promises'
import { chatPage } from '@/lib/protocol/chat-list'
import { openBrowser } from '../app/open-browser'
import { ApiClient } from '../backs/api-client'

/** Between two looks for the chat, in ms. */
const LOOK = 1000

/**
 * Waits for the chat that a command writes, and opens it in the browser.
 *
 * @param options.signal fires when the command has ended
 */
export async function showChat(
  { origin, key }: { origin: string; key: string },
  { since, signal, tell }: { since: number; signal: AbortSignal; tell(line: string): void },
): Promise<void> {
  const api = new ApiClient(origin, key)
  while (!signal.aborted) {
    const { chats } = await api.json('GET', '/api/chats', chatPage, {
      query: { sort: 'updated', limit: 1 },
      signal,
    })
    const [last] = chats
    if (last && last.updatedAt >= since) {
      const url = `${origin}/c/${encodeURIComponent(last.id)}`
      return openBrowser(url, () => tell(`Ramify: no browser could be opened. The chat is at ${url}`))
    }
    await sleep(LOOK, undefined, { signal })
  }
}
