import type { SpokenTurn } from '@/lib/protocol/spoken-turns'

/** A chat that was pasted as a file that an import reads. Its name says when: two chats may begin with the same words. */
export function pastedFile({
  title,
  turns,
  now,
}: {
  title: string
  turns: readonly SpokenTurn[]
  now: Date
}): File {
  const messages = turns.map(({ role, text, model, at }) => ({
    role,
    content: text,
    ...(model !== null && role === 'assistant' && { model }),
    ...(at !== null && { created_at: at }),
  }))
  const chat = { ...(title.trim() !== '' && { title: title.trim() }), messages }
  const moment = now.toISOString().slice(0, 19).replace('T', ' ').replaceAll(':', '.')
  return new File([JSON.stringify(chat)], `Pasted ${moment}.json`, { type: 'application/json' })
}
