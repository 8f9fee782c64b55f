import type { ModelMessage } from 'ai'
import { contentOf } from './chain'

/** Clients begin the summary of earlier messages with these words. */
const summaries = [
  // Claude Code
  /^This session is being continued from a previous conversation/,
  // Codex
  /^Another language model started to solve this problem and produced a summary/,
  // Qwen Code, Gemini CLI
  /^<(?:state_snapshot|compressed_chat_history)>/,
]

/** OpenCode asks this, and the summary is the answer. */
const asked = /^What did we do so far\?/

/**
 * The place of the message that stands for the messages that a client has left out of a call; undefined where none
 * were left out.
 *
 * @param links as `linksOf` gives them
 */
export function summaryIn(links: readonly ModelMessage[]): number | undefined {
  const lastWith = (patterns: readonly RegExp[]) =>
    links.findLastIndex(
      (link) => link.role === 'user' && contentOf(link).some((part) => begins(part, patterns)),
    )
  const at = lastWith(summaries)
  if (at >= 0) return at
  const question = lastWith([asked])
  return question >= 0 && links[question + 1]?.role === 'assistant' ? question + 1 : undefined
}

/** Letters of a text that are looked at. */
const BEGINNING = 200

const begins = ({ type, text }: Record<string, unknown>, patterns: readonly RegExp[]): boolean =>
  type === 'text' &&
  typeof text === 'string' &&
  patterns.some((pattern) => pattern.test(text.slice(0, BEGINNING).trimStart()))
