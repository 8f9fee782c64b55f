import { describe, expect, it } from 'vitest'
import { changeWords, promptChanges } from '@/components/inspector/prompt-changes'
import type { SentPrompt } from '@/lib/protocol'

const said = (role: string, text: string) => ({ role, content: [{ type: 'text', text }] })

function prompt(system: string | null, ...messages: SentPrompt['messages']): SentPrompt {
  const counts = messages.map((_, at) => ({ message_id: `m${at}`, tokens: 1, sent: 1 }))
  return {
    model: 'demo:demo',
    context_id: null,
    system,
    messages,
    tools: [],
    settings: {},
    compacted: null,
    cache: null,
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

  const brief = prompt('Be brief.', where)
  const cool = { ...brief, settings: { temperature: 0.2, top_p: 0.5 } }
  const asked = (count: number, what: string) =>
    prompt(null, ...Array.from({ length: count }, (_, at) => said('user', `${what} ${at}`)))

  it.each([
    ['the same prompt', cool, cool, 'Both prompts are the same.'],
    ['other settings', brief, cool, 'Other settings (temperature 0.2, top p 0.5, before the model’s own).'],
    [
      'everything else',
      cool,
      prompt('Be long.', where, left),
      '1 message added, and another system prompt and other settings (the model’s own, before temperature 0.2, top p 0.5).',
    ],
    ['another system prompt', brief, prompt('Be kind.', where), 'Another system prompt.'],
    [
      'a first system prompt',
      prompt(null, where),
      prompt('Be kind.', where, left),
      '1 message added, and another system prompt.',
    ],
    ['nothing in common', asked(1500, 'Question'), asked(1501, 'Another'), '1 message added, 1500 changed.'],
  ])('given %s, then that is said', (_, before, now, words) => {
    expect(changeWords(promptChanges(before, now))).toBe(words)
  })

  it('given another system prompt, then its words before are known; given the same, then no change is', () => {
    expect(promptChanges(brief, prompt('Be kind.', where)).system?.before).toBe('Be brief.')
    const same = promptChanges(cool, { ...cool, messages: [where] })
    expect([same.system, same.settings, told(same)]).toEqual([null, null, ['same: Where is the station?']])
  })
})
