import { isHiddenMessage } from '@/lib/context'
import type { ChatMessage } from '@/lib/protocol'
import { readableParts, valueText, wordsOf } from '../readable-parts'

/** A tool call with its outcome. Every call has an answer: providers refuse a call without one. */
export interface SessionCall {
  id: string
  name: string
  input: object
  output: string
  failed: boolean
}

/** One message of a provider's API: words, and the calls that end it. */
export interface SessionStep {
  role: 'user' | 'assistant'
  text: string
  calls: readonly SessionCall[]
  model: string
  /** in ms */
  at: number
}

/** The facts that a session file states besides its messages. */
export interface SessionFacts {
  id: string
  /** the folder that the client works in */
  cwd: string
  /** in ms */
  now: number
  newId(): string
}

/** The messages of a branch as an agent has sent and received them. Thoughts stay behind: they are signed for one provider. */
export function sessionSteps(messages: readonly ChatMessage[], now: number): SessionStep[] {
  const taken = new Set<string>()
  const idOf = (given: string) => {
    const plain = given.replace(/[^\w-]/g, '_').slice(0, 60) || 'call'
    let id = plain
    for (let number = 2; taken.has(id); number += 1) id = `${plain}_${number}`
    taken.add(id)
    return id
  }
  // words that the agent added by itself are no one's: it adds them again
  const said = messages.filter((message) => !isHiddenMessage(message))
  return said.flatMap((message) => {
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const model = message.metadata?.model ?? 'unknown'
    const at = message.metadata?.createdAt ?? now
    const steps: SessionStep[] = []
    let words: string[] = []
    let calls: SessionCall[] = []
    const close = () => {
      const text = words.join('\n\n')
      if (text !== '' || calls.length > 0) steps.push({ role, text, calls, model, at })
      words = []
      calls = []
    }
    for (const part of readableParts({ data: message }, [])) {
      if (part.kind === 'tool') {
        const input =
          typeof part.input === 'object' && part.input !== null ? part.input : { input: part.input }
        const failed = part.error !== undefined || part.output === undefined
        const output = part.error ?? (part.output === undefined ? 'No answer.' : valueText(part.output))
        calls.push({ id: idOf(part.id), name: part.name, input, output, failed })
        continue
      }
      const text = wordsOf(part)
      if (text === '') continue
      // words after a tool's answer are the next message
      if (calls.length > 0) close()
      words.push(text)
    }
    close()
    return steps
  })
}
