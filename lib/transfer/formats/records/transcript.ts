import { isSpoken, spokenTurns } from '@/lib/protocol/spoken-turns'
import type { TextFormat } from '../format'
import { chatByTable } from '../table'

/** A chat as a text: a line says who speaks, and the words follow. A text that is pasted is read by the same function. */
export const transcript: TextFormat = {
  source: 'transcript',
  program: 'chats as text',
  recognises: (head, name) => !/\.jsonl?$/i.test(name) && isSpoken(head),
  readText(text, context) {
    const { title, turns, hasPreface } = spokenTurns(text)
    if (hasPreface) context.problems.say('What stands before the first speaker is kept as the first message.')
    if (/^# Branch: /m.test(text) && turns.some(({ at }) => at !== null))
      context.problems.say(
        'The Markdown holds several branches, which follow one another in it: so they do here. Import the chat as Ramify JSON for its branches.',
      )
    const messages = turns.map(({ role, model, at, text: content }) => ({ role, model, at, content }))
    const table = {
      source: transcript.source,
      title: 'title',
      messages: 'messages',
      message: { role: 'role', content: 'content', model: 'model', createdAt: 'at' },
    }
    return [chatByTable({ title, messages }, table, context)]
  },
}
