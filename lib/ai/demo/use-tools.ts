import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider'
import { calculate } from './arithmetic'

/** A call of a tool. */
export interface DemoCall {
  toolCallId: string
  toolName: string
  input: string
}

type ToolMessage = Extract<LanguageModelV4Prompt[number], { role: 'tool' }>
type Result = Extract<ToolMessage['content'][number], { type: 'tool-result' }>

/** Calls of offered tools that a question asks for, with their inputs. */
export function callsFor(
  question: string,
  { prompt, tools = [] }: Pick<LanguageModelV4CallOptions, 'prompt' | 'tools'>,
): DemoCall[] {
  if (prompt.at(-1)?.role !== 'user') return []
  const offered = new Set(tools.map(({ name }) => name))
  return Object.entries(wishes(question)).flatMap(([toolName, input]) =>
    input !== undefined && offered.has(toolName)
      ? [{ toolCallId: `demo-${prompt.length}-${toolName}`, toolName, input: JSON.stringify(input) }]
      : [],
  )
}

function wishes(question: string): Record<string, object | undefined> {
  const said = question.trim().replace(/[.!?]+$/, '')
  const sum = calculate(question)?.split(/ = | has no /, 1)[0]
  const zone = /\b([A-Z][a-z]+\/[A-Z][A-Za-z_]+)\b/.exec(question)?.[1]
  const kept = /^(?:please )?remember (?:that )?(.+)$/is.exec(said)?.[1]
  const dropped = /^(?:please )?forget (?:about |that )?(.+)$/is.exec(said)?.[1]
  const sought = /\bsearch (?:all |in )?my (?:other )?chats for (.+)$/is.exec(said)?.[1]
  return {
    calculator: sum === undefined ? undefined : { expression: sum },
    current_time: /\bwhat time is it\b|\bwhat(?:'s|’s| is) the time\b/i.test(question)
      ? { ...(zone && { time_zone: zone }) }
      : undefined,
    remember: kept === undefined ? undefined : { key: subjectOf(kept), text: kept.slice(0, 2000) },
    forget: dropped === undefined ? undefined : { key: subjectOf(dropped) },
    search_chats: sought === undefined ? undefined : { query: sought.slice(0, 200) },
  }
}

/** The subject of a sentence: `my cat is called Tom` is about `my cat`. */
const subjectOf = (sentence: string): string =>
  (/^(.+?)\s+(?:is|are|was|were|has|have|likes?|wants?)\b/is.exec(sentence)?.[1] ?? sentence)
    .split(/\s+/)
    .slice(0, 5)
    .join(' ')
    .toLowerCase()
    .slice(0, 100)

/** The words for the tools that have just answered; undefined where none has. */
export function toldBy(prompt: LanguageModelV4Prompt): string | undefined {
  const last = prompt.at(-1)
  if (last?.role !== 'tool') return undefined
  const results = last.content.filter((part): part is Result => part.type === 'tool-result')
  return results.map(wordsOf).join('\n\n') || undefined
}

function wordsOf({ toolName, output }: Result): string {
  if (output.type === 'execution-denied')
    return `I was not allowed to use \`${toolName}\`${output.reason ? `: ${output.reason}` : '.'}`
  if (output.type === 'error-text' || output.type === 'error-json')
    return `\`${toolName}\` failed: ${plain(output.value)}`
  if (output.type !== 'json') return 'value' in output ? plain(output.value) : 'Done.'
  const told = output.value as Record<string, unknown> | null
  const { remembered, forgotten, words, result } = told ?? {}
  if (typeof result === 'number') return `The result is ${result}.`
  if (typeof words === 'string') return `It is ${words}.`
  if (typeof remembered === 'object') return 'I will remember that on this branch.'
  if (typeof forgotten === 'string')
    return told?.was_known === true ? `I have forgotten “${forgotten}”.` : `I knew nothing of “${forgotten}”.`
  return plain(told)
}

const plain = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 2000)
