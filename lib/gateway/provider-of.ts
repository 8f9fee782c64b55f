import type { AgentProtocol } from './agent-call'

/** A provider that can be asked for a name that no list has, with the protocols that it speaks. */
export interface OpenProvider {
  readonly name: string
  readonly protocols: readonly AgentProtocol[]
  /** it is asked for versions of listed models only: strangers do not choose what a key of the server pays for */
  readonly keepsToList?: boolean
}

/** The names that tell their provider by themselves. */
const families: readonly (readonly [provider: string, names: RegExp])[] = [
  ['anthropic', /^claude\b|\[1m\]$/i],
  [
    'openai',
    /^(?:ft:)?(?:gpt|chatgpt|codex|computer-use|text-embedding|text-moderation|omni-moderation|davinci|babbage|dall-e|whisper|tts|sora)-|^o\d+(?:-|$)/i,
  ],
  ['google', /^gemini-/i],
]

/** Providers that route to others, which their names begin with: `anthropic/claude-opus-5-5`. */
const routers = ['openrouter', 'gateway']

/**
 * The id of a model that no list has: with the provider that the name belongs to, or else with the only provider
 * there is, or the only one that speaks the agent's protocol.
 *
 * @param open the providers that can be asked
 * @returns the ids that are possible: none where no provider can be told, several where the name does not decide. The
 * provider of a family is named also where it cannot be asked.
 * @example idsOfUnlisted('claude-opus-4-8', 'messages', open) // ['anthropic:claude-opus-4-8']
 */
export function idsOfUnlisted(
  name: string,
  protocol: AgentProtocol,
  open: readonly OpenProvider[],
): readonly string[] {
  if (name === '') return []
  const isOpen = (provider: string) => open.some((each) => each.name === provider)
  const [, prefix, rest] = /^([a-z-]+)\/(.+)$/s.exec(name) ?? []
  if (prefix !== undefined) {
    if (isOpen(prefix)) return [`${prefix}:${rest}`]
    if (routers.some(isOpen)) return routers.filter(isOpen).map((router) => `${router}:${name}`)
  }
  const [family] = families.find(([, names]) => names.test(name)) ?? []
  if (family !== undefined) {
    // a server that speaks OpenAI's protocol may pass on to any provider
    const provider = !isOpen(family) && isOpen('openai-compatible') ? 'openai-compatible' : family
    return [`${provider}:${name}`]
  }
  const speaking = open.filter(({ protocols }) => protocols.includes(protocol))
  const possible = open.length === 1 || speaking.length === 0 ? open : speaking
  return possible.map((each) => `${each.name}:${name}`)
}
