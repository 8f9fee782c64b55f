import type { ChatContext, ToolList } from '@/lib/protocol'

interface Sent {
  choices: ChatContext['tools']
  /** the tools that there are now; null while they are not known */
  offered: ToolList | null
  /** false for a model that cannot call tools; null where that is not known */
  callsTools: boolean | null
}

/** The tools that the next reply is offered, in a few words; undefined while that is not known. */
export function toolWords({ choices, offered, callsTools }: Sent): string | undefined {
  const chosen = Object.keys(choices).filter((name) => choices[name] !== 'never')
  if (chosen.length === 0) return 'none'
  if (callsTools === false) return 'none: this model cannot use tools'
  if (!offered) return undefined
  const known = new Set(offered.tools.map(({ name }) => name))
  const sent = chosen.filter((name) => known.has(name))
  const asking = sent.filter((name) => choices[name] === 'ask').length
  const missing = chosen.length - sent.length
  return [
    sent.length > 0 ? `${sent.length} on` : 'none on',
    asking > 0 && (asking === sent.length ? 'asking first' : `${asking} asking first`),
    missing > 0 && `${missing} not available`,
  ]
    .filter(Boolean)
    .join(', ')
}
