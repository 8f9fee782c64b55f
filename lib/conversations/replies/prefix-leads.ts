import { setTimeout as pause } from 'node:timers/promises'
import { aboutTokens, promptText } from '@/lib/context'
import { isKept } from '@/lib/context/estimate/kept-prompts'
import type { AvailableModels, Ports } from '../ports'
import type { Prompt } from './prompt'

/** The longest wait for another reply's first word, in ms: a model that is slow to begin does not hold up the others. */
const LONGEST_MS = 20_000

/** The place of a reply among replies to the same prompt. */
export interface PrefixPlace {
  /** true when another reply goes first */
  isBehind: boolean
  /** resolves when the first one has begun or is over, when the signal is aborted, and after 20 s */
  wait(signal: AbortSignal): Promise<void>
  /** the provider answers, or the reply is over; further calls do nothing */
  begun(): void
}

/**
 * Lets one of several replies to the same prompt begin first, so that the others read the prompt from the provider's cache: it
 * is there once the first reply has begun. Knows the replies of this process.
 */
export class PrefixLeads {
  readonly #leads = new Map<string, Promise<void>>()

  /** @param prompt the same for the same prompt and model */
  join(prompt: string): PrefixPlace {
    const lead = this.#leads.get(prompt)
    if (lead) return { isBehind: true, wait: (signal) => waitFor(lead, signal), begun: () => undefined }
    let begun = (): void => undefined
    const first = new Promise<void>((resolve) => {
      begun = () => {
        if (this.#leads.get(prompt) === first) this.#leads.delete(prompt)
        resolve()
      }
    })
    this.#leads.set(prompt, first)
    return { isBehind: false, wait: async () => undefined, begun }
  }
}

async function waitFor(lead: Promise<void>, signal: AbortSignal): Promise<void> {
  const over = new AbortController()
  const ended = AbortSignal.any([signal, over.signal])
  const longEnough = pause(LONGEST_MS, undefined, { signal: ended }).catch(() => undefined)
  await Promise.race([lead, longEnough])
  over.abort()
}

/** Waits for another reply to the same prompt where the prompt costs less once its provider has read it. */
export async function waitForPrefix(
  ports: Pick<Ports, 'models'>,
  place: PrefixPlace,
  asked: {
    chatId: string
    model: string
    models: Pick<AvailableModels, 'facts'> | undefined
    prompt: Prompt
    signal: AbortSignal
  },
): Promise<void> {
  if (!place.isBehind) return
  const { chatId, model, models, prompt, signal } = asked
  const { price } = models?.facts(model) ?? (await ports.models.factsIn(chatId, model))
  const tokens = aboutTokens([prompt.instructions, ...prompt.messages.map(promptText)])
  if (isKept(price, tokens)) await place.wait(signal)
}
