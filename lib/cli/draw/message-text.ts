import { type ReadablePart, readableParts, valueText } from '@/lib/conversations/exports/readable-parts'
import type { ChatMessage } from '@/lib/protocol'
import { indented, plain } from './plain'

/** The whole content of a message, as text: its words, and a line for each thought, tool, file and source. */
export function wholeText(message: ChatMessage): string {
  return plain(readableParts({ data: message }, []).map(partText).join('\n\n'))
}

function partText(part: ReadablePart): string {
  switch (part.kind) {
    case 'text':
      return part.text
    case 'thoughts':
      return `[thought]\n${indented(part.text, 2)}`
    case 'tool': {
      const asked = `[tool ${part.name}] ${valueText(part.input)}`
      if (part.error !== undefined) return `${asked}\n[failed] ${part.error}`
      return part.output === undefined ? asked : `${asked}\n[answer] ${valueText(part.output)}`
    }
    case 'file':
      return `[file ${part.name}, ${part.mediaType}]`
    case 'source':
      return `[source] ${part.title} ${part.url}`
  }
}

/** Text of a message, without its tools and thoughts. */
export const spokenText = (message: ChatMessage): string =>
  plain(message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n')).trim()
