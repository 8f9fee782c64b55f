import {
  type ContextData,
  type ContextFragment,
  type ContextSetup,
  fragment,
  type ModelSettings,
  role,
  serializeFragment,
} from '@/lib/context'
import type { AgentCall, AgentTool } from '@/lib/gateway/agent-call'
import { cleanText, jsonText } from '@/lib/transfer'
import { contextOf } from '../turns/context-value'

/** Numbers that decide a reply, by the names that the protocols have for them. */
const numbers: Readonly<Record<string, { name: keyof ModelSettings; from: number; to: number }>> = {
  temperature: { name: 'temperature', from: 0, to: 2 },
  top_p: { name: 'top_p', from: 0, to: 1 },
  presence_penalty: { name: 'presence_penalty', from: -2, to: 2 },
  frequency_penalty: { name: 'frequency_penalty', from: -2, to: 2 },
}

/**
 * Context of an agent's call, as a branch keeps it. System texts and tools are fragments. The tools are
 * switched off: the agent runs them, and a reply requested here cannot.
 *
 * @param model as listed here
 */
export function contextOfCall({ system, tools, settings }: AgentCall, model: string): ContextData {
  const texts = system
    .filter((text) => text.trim() !== '')
    .map((text, index) => identified(`system-${index + 1}`, role(cleanText(text))))
  const offered = tools.map((tool, index) => identified(`tool-${index + 1}`, toolFragment(tool)))
  const chosen = settingsOf(settings)
  const setup: ContextSetup = { off: offered.flatMap(({ id }) => id ?? []), settings: chosen }
  const fragments = [...texts, ...offered].map((each) => serializeFragment(each))
  return contextOf({ fragments, model, setup })
}

const identified = (id: string, of: ContextFragment): ContextFragment => ({ ...of, id })

/** A schema is kept as text: it may be deeper than stored JSON may be, and has keys of its own. */
const toolFragment = ({ name, description, inputSchema }: AgentTool): ContextFragment =>
  fragment('tool', {
    name: cleanText(name),
    ...(description === undefined ? {} : { description: cleanText(description) }),
    schema: cleanText(jsonText(inputSchema)),
  })

function settingsOf(settings: AgentCall['settings']): ModelSettings {
  const chosen: ModelSettings = {}
  for (const [key, { name, from, to }] of Object.entries(numbers)) {
    const value = settings[key]
    if (typeof value === 'number' && value >= from && value <= to) chosen[name] = value
  }
  return chosen
}
