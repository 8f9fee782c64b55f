type Item = Readonly<Record<string, unknown>>

const listOf = (value: unknown): Item[] => (Array.isArray(value) ? value : [])

/**
 * What providers would refuse of a conversation: calls of tools without an answer where their protocol wants it, answers without a
 * call, ids that stand twice, and too many marks for the cache. Written apart from the gateway's own writers.
 */
export function pairFaults(field: string, items: readonly Item[]): string[] {
  if (field === 'input') return faultsOfResponses(items)
  return items.some(({ role, tool_calls }) => role === 'tool' || tool_calls)
    ? faultsOfChat(items)
    : faultsOfMessages(items)
}

const differing = (calls: readonly unknown[], answers: readonly unknown[]): string[] => [
  ...calls.filter((id) => !answers.includes(id)).map((id) => `no answer to ${id}`),
  ...answers.filter((id) => !calls.includes(id)).map((id) => `no call for ${id}`),
]

const twice = (ids: readonly unknown[]): string[] =>
  ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${id} stands twice`)

function faultsOfResponses(items: readonly Item[]): string[] {
  const paired = items.filter(({ call_id }) => call_id !== undefined)
  const isAnswer = ({ type }: Item) => String(type).endsWith('_output')
  const calls = paired.filter((item) => !isAnswer(item)).map(({ call_id }) => call_id)
  const answers = paired.filter(isAnswer).map(({ call_id }) => call_id)
  const early = answers.filter(
    (id) =>
      items.findIndex((item) => isAnswer(item) && item.call_id === id) <
      items.findIndex((item) => !isAnswer(item) && item.call_id === id),
  )
  return [...differing(calls, answers), ...twice(calls), ...early.map((id) => `${id} is answered too early`)]
}

function faultsOfChat(items: readonly Item[]): string[] {
  const faults: string[] = []
  const all: unknown[] = []
  for (const [at, item] of items.entries()) {
    if (item.role === 'tool' && !['assistant', 'tool'].includes(String(items[at - 1]?.role)))
      faults.push(`no call for ${item.tool_call_id}`)
    if (item.role !== 'assistant') continue
    const end = items.findIndex(({ role }, place) => place > at && role !== 'tool')
    const below = items.slice(at + 1, end < 0 ? items.length : end)
    const calls = listOf(item.tool_calls).map(({ id }) => id)
    all.push(...calls)
    faults.push(
      ...differing(
        calls,
        below.map(({ tool_call_id }) => tool_call_id),
      ),
    )
    if (calls.length === 0 && item.content === null && !item.audio) faults.push('an empty reply')
  }
  return [...faults, ...twice(all)]
}

function faultsOfMessages(items: readonly Item[]): string[] {
  const faults: string[] = []
  const all: unknown[] = []
  for (const [at, item] of items.entries()) {
    const blocks = listOf(item.content)
    if (blocks.length === 0 && typeof item.content !== 'string') faults.push('an empty message')
    const results = blocks.filter(({ type }) => type === 'tool_result')
    if (results.some((result) => blocks.indexOf(result) >= results.length))
      faults.push('words before results')
    if (item.role === 'user' && items[at - 1]?.role !== 'assistant' && results.length > 0)
      faults.push('results without a call')
    if (item.role !== 'assistant') continue
    const calls = blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id)
    all.push(...calls)
    const below = listOf(items[at + 1]?.content).filter(({ type }) => type === 'tool_result')
    faults.push(
      ...differing(
        calls,
        below.map(({ tool_use_id }) => tool_use_id),
      ),
    )
    const last = blocks.at(-1)?.type
    if (last === 'thinking' || last === 'redacted_thinking') faults.push('a reply that ends with a thought')
  }
  return [...faults, ...twice(all)]
}

/** The texts of a conversation, one after the other, whatever the protocol. */
export const wordsIn = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(wordsIn)
  if (typeof value !== 'object' || value === null) return []
  const { content, text, output } = value as Item
  const own = [text, content, output].filter((word) => typeof word === 'string' && word !== '') as string[]
  return [...own, ...wordsIn(content), ...wordsIn(output)]
}
