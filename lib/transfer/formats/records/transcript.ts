import type { TextFormat } from '../format'
import { chatByTable } from '../table'

/** Lines that say who speaks, in the ways in which programs write a chat as a text. */
const dialects: readonly { speaker: RegExp; recognises?: RegExp }[] = [
  // LibreChat
  { speaker: /^>> (.{1,100}):[ \t]*$/gm, recognises: /^(?:\ufeff)?Conversation\r?\n#{9,}/ },
  // a page of ChatGPT or Gemini that was copied
  {
    speaker:
      /^(?:#{1,6} )?(You|ChatGPT|Claude|Gemini|Copilot|Grok|DeepSeek|Perplexity|Le Chat) said:?[ \t]*$/gm,
  },
]

const person = /^(?:you|user|human|me)$/i

const dialectOf = (text: string) =>
  dialects.find(({ speaker, recognises }) =>
    recognises
      ? recognises.test(text)
      : new Set([...text.matchAll(speaker)].map(([, name]) => person.test(name ?? ''))).size === 2,
  )

/** A chat as a text: a line says who speaks, and the words follow. */
export const transcript: TextFormat = {
  source: 'transcript',
  program: 'chats as text',
  recognises: (head, name) => !/\.jsonl?$/i.test(name) && dialectOf(head) !== undefined,
  readText(text, context) {
    const speaker = dialectOf(text)?.speaker ?? /$^/g
    const marks = [...text.matchAll(speaker)]
    const begin = text.slice(0, marks[0]?.index ?? text.length)
    const field = (name: string) => new RegExp(`^${name}: (.+)$`, 'm').exec(begin)?.[1]?.trim()
    const rest = begin.replace(/^(?:\ufeff|Conversation|History|#{9,}|\w+: .*|)$/gm, '').trim()
    if (rest !== '') context.problems.say('What stands before the first speaker is left out.')
    const messages = marks.map((mark, index) => ({
      role: person.test(mark[1] ?? '') ? 'user' : 'assistant',
      model: person.test(mark[1] ?? '') ? null : mark[1],
      content: text.slice(mark.index + mark[0].length, marks[index + 1]?.index).trim(),
    }))
    const table = {
      source: transcript.source,
      title: 'title',
      messages: 'messages',
      message: { role: 'role', content: 'content', model: 'model' },
    }
    return [chatByTable({ title: field('title'), messages }, table, context)]
  },
}
