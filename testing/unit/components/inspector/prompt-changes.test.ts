import { describe, expect, it } from 'vitest'
import { changeWords, promptChanges } from '@/components/inspector/prompt-changes'
import type { SentPrompt } from '@/lib/protocol'

const said = (role: string, text: string) => ({ role, content: [{ type: 'text', text }] })

function prompt(system: string | null, ...messages: SentPrompt['messages']): SentPrompt {
  const counts = messages.map((_, at) => ({ message_id: `m${at}`, tokens: 1, sent: 1 }))
  return {
    ...{ model: 'demo:demo', context_id: null, system, messages, tools: [], settings: {}, compacted: null },
    tokens: { system: 1, messages: counts, total: 2, window: null },
    cost: { estimate_usd: 0, actual_usd: null },
  }
}

/** The kinds of changes and the words of each, in order. */
const told = ({ messages }: ReturnType<typeof promptChanges>) =>
  messages.map((change) =>
    change.kind === 'same'
      ? `same: ${change.entries.map(({ text }) => text).join(' / ')}`
      : `${change.kind}: ${change.entry.text}`,
  )

describe('a prompt beside another', () => {
  const where = said('user', 'Where is the station?')
  const left = said('assistant', 'Left of the market.')
  const when = said('user', 'When does the next train leave?')

  it('given the prompt of the reply before, then what was said since is added, and the rest is the same', () => {
    const changes = promptChanges(prompt('Be brief.', where), prompt('Be brief.', where, left, when))
    expect(changes.system).toBeNull()
    expect(told(changes)).toEqual([
      'same: Where is the station?',
      'added: Left of the market.',
      'added: When does the next train leave?',
    ])
    expect(changeWords(changes)).toBe('2 messages added.')
  })

  it('given other settings, then both are told', () => {
    const cool = { ...prompt('Be brief.', where), settings: { temperature: 0.2, top_p: 0.5 } }
    expect(changeWords(promptChanges(prompt('Be brief.', where), cool))).toBe(
      'Other settings (temperature 0.2, top p 0.5, before the model’s own).',
    )
    expect(changeWords(promptChanges(cool, prompt('Be long.', where, left)))).toBe(
      '1 message added, and another system prompt and other settings (the model’s own, before temperature 0.2, top p 0.5).',
    )
    expect(promptChanges(cool, cool).settings).toBeNull()
  })

  it('given an edited question, then it has changed, and its words are marked', () => {
    const now = said('user', 'When does the last train leave?')
    const changes = promptChanges(prompt(null, where, left, when), prompt(null, where, left, now))
    const [, change] = changes.messages
    if (change?.kind !== 'changed' || !change.from.marks) throw new Error('The question has not changed')
    const { before, marks } = change.from
    expect(marks.before.map(({ start, end }) => before.slice(start, end))).toEqual(['next'])
    expect(marks.now.map(({ start, end }) => change.entry.text.slice(start, end))).toEqual(['last'])
    expect(changeWords(changes)).toBe('1 message changed.')
  })

  it('given a message that stands where one of another role stood, then one is removed and one is added', () => {
    expect(told(promptChanges(prompt(null, where), prompt(null, left)))).toEqual([
      'removed: Where is the station?',
      'added: Left of the market.',
    ])
  })

  it('given another system prompt, then it is told with its words', () => {
    const changes = promptChanges(prompt('Be brief.', where), prompt('Be kind.', where))
    expect(changes.system?.before).toBe('Be brief.')
    expect(changeWords(changes)).toBe('Another system prompt.')
    const more = promptChanges(prompt(null, where), prompt('Be kind.', where, left))
    expect(changeWords(more)).toBe('1 message added, and another system prompt.')
  })

  it('given the same prompt, then nothing differs', () => {
    const changes = promptChanges(prompt('Be brief.', where, left), prompt('Be brief.', where, left))
    expect(told(changes)).toEqual(['same: Where is the station? / Left of the market.'])
    expect(changeWords(changes)).toBe('Both prompts are the same.')
  })

  it('given prompts with nothing in common, then everything has changed, or is there once', () => {
    const many = Array.from({ length: 1500 }, (_, at) => said('user', `Question ${at}`))
    const others = Array.from({ length: 1501 }, (_, at) => said('user', `Another ${at}`))
    const changes = promptChanges(prompt(null, ...many), prompt(null, ...others))
    expect(changeWords(changes)).toBe('1 message added, 1500 changed.')
  })
})
