import { dollars } from '@/components/app/dollars'
import type { SentPrompt } from '@/lib/protocol'
import { sizeWords } from '@/lib/protocol/file-types'

const number = (count: number): string => count.toLocaleString('en')

/** Size of a prompt: `about 1,204 of 1,050,000 tokens`, or `about 1,204 tokens, window not known`. */
export const tokenWords = (total: number, window: number | null): string =>
  window === null
    ? `about ${number(total)} tokens, window not known`
    : `about ${number(total)} of ${number(window)} tokens`

/** Cost of a prompt: `About $0.0012 for the prompt, $0.0051 with its reply, as the provider counted`. */
export function dollarWords({ estimate_usd: estimate, actual_usd: actual }: SentPrompt['cost']): string {
  if (estimate === null) return 'Price not known'
  if (estimate === 0 && !actual) return 'Costs nothing'
  const counted = actual === null ? '' : `, ${dollars(actual)} with its reply, as the provider counted`
  return `About ${dollars(estimate)} for the prompt${counted}`
}

/**
 * The tokens of a prompt that its provider keeps, and the cost of another branch at this place, unless the prompt costs the same:
 * `12,300 tokens from the provider’s cache, 900 written into it. A branch from here: about $0.004, 13,200 tokens from the cache`.
 */
export function keptWords(
  { read, written, branch }: NonNullable<SentPrompt['cache']>,
  { estimate_usd: estimate }: Pick<SentPrompt['cost'], 'estimate_usd'>,
): string {
  const from = read === 0 ? 'Nothing' : `${number(read)} tokens`
  const into = written === 0 ? '' : `, ${number(written)} written into it`
  const now = read === 0 && written === 0 ? '' : `${from} from the provider’s cache${into}`
  if (branch.estimate_usd === estimate) return now
  const about = branch.estimate_usd === null ? 'price not known' : `about ${dollars(branch.estimate_usd)}`
  const held = branch.read === 0 ? 'nothing' : `${number(branch.read)} tokens`
  return [now, `A branch from here: ${about}, ${held} from the cache`].filter(Boolean).join('. ')
}

/** The address of a file part of a prompt, mostly with its bytes; empty where it has none. */
export function dataUrlOf({ data }: Record<string, unknown>): string {
  const url = typeof data === 'object' && data !== null && 'url' in data ? data.url : data
  return typeof url === 'string' ? url : ''
}

/** Settings in a line: `temperature 0.4, seed 7`; null where all are the model's own choice. */
export function settingWords(settings: SentPrompt['settings']): string | null {
  const chosen = Object.entries(settings).filter(([, value]) => value !== undefined)
  return chosen.length === 0
    ? null
    : chosen.map(([name, value]) => `${name.replaceAll('_', ' ')} ${value}`).join(', ')
}

/** The content of a message of a prompt: its text as text, a file by its name, everything else as JSON. */
function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return JSON.stringify(content, null, 2) ?? ''
  const sent = content.filter((part: unknown) => !isOwnNote(part))
  return sent.map((part: unknown) => textOf(part) ?? JSON.stringify(part, null, 2)).join('\n\n')
}

/** A part that the library of a provider keeps for itself: the model does not read it. */
const isOwnNote = (part: unknown): boolean =>
  typeof part === 'object' && part !== null && 'kind' in part && part.kind === 'anthropic.message_start'

function textOf(part: unknown): string | undefined {
  if (typeof part !== 'object' || part === null || !('type' in part)) return undefined
  if (part.type === 'text' && 'text' in part) return String(part.text)
  return part.type === 'file' ? fileText(part) : undefined
}

/** A file by its name, type and size, in place of its base64. */
function fileText(part: object): string | undefined {
  const { filename = 'A file', mediaType, ...rest } = part as Record<string, unknown>
  const [head, base64] = dataUrlOf(rest).split(';base64,')
  if (!head?.startsWith('data:') || base64 === undefined) return undefined
  const bytes = Math.floor((base64.replace(/=+$/, '').length * 3) / 4)
  return `[${filename}: ${mediaType}, ${sizeWords(bytes)}]`
}

/**
 * The messages of a prompt as they are shown, each with its number of tokens. If one message became several, the
 * first has the number; if several were joined to one, it has their sum.
 */
export function entriesOf({ messages, tokens }: Pick<SentPrompt, 'messages' | 'tokens'>) {
  const counts: (number | undefined)[] = []
  for (const { sent, tokens: count } of tokens.messages) {
    const last = counts.findLastIndex((known) => known !== undefined)
    if (sent === 0 && last !== -1) counts[last] = (counts[last] ?? 0) + count
    for (let at = 0; at < sent; at += 1) counts.push(at === 0 ? count : undefined)
  }
  return messages.map(({ role, content }, at) => ({ role, text: contentText(content), count: counts[at] }))
}
