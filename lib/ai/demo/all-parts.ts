import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'

/** True when a person wants to see what a reply can hold besides text: “show me all parts of a reply”. */
export const asksForParts = (question: string): boolean => /\b(?:show|use)\b.*\ball parts\b/i.test(question)

/** Parts of every kind but text, as a provider with tools of its own sends them: one of its tools fails. */
export function* allParts(): Generator<LanguageModelV4StreamPart> {
  yield { type: 'reasoning-start', id: 'r' }
  for (const delta of ['The question is ', '**short**, so ', 'the answer can be.'])
    yield { type: 'reasoning-delta', id: 'r', delta }
  yield { type: 'reasoning-end', id: 'r' }
  yield* tool(
    'call-1',
    'search',
    { query: 'opening hours' },
    { results: ['9 to 17', '<b>closed</b> on Monday'] },
  )
  yield* tool('call-2', 'weather', { city: 'Lisbon' }, 'The weather service does not answer.', true)
  yield { type: 'file', mediaType: 'image/png', data: { type: 'data', data: picture } }
  yield {
    type: 'source',
    sourceType: 'url',
    id: 's1',
    url: 'https://example.com/hours',
    title: 'Opening hours',
  }
  yield { type: 'source', sourceType: 'url', id: 's2', url: 'javascript:alert(1)', title: 'A link that runs' }
}

function* tool(
  toolCallId: string,
  toolName: string,
  input: object,
  result: NonNullable<Extract<LanguageModelV4StreamPart, { type: 'tool-result' }>['result']>,
  isError = false,
): Generator<LanguageModelV4StreamPart> {
  const call = { toolCallId, toolName, dynamic: true }
  yield { type: 'tool-call', ...call, input: JSON.stringify(input), providerExecuted: true }
  yield { type: 'tool-result', ...call, result, isError }
}

/** A PNG of three branches. */
const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAHgAAABIAgMAAABAcNnsAAAADFBMVEX6+PMkWajEeh4fb1Si3KSzAAAA1ElEQVR42t2WQQqDMBBF' +
  'x+QMvYSXiEdwkzuUniLQi7iU6aIXEJoj9QBCWrWYFCffRZHaZvt4hP9nxBD9wKkgPViIra02w4W19bfuXstd1H+Kdz3vI8Ynh3EL' +
  'c5fsUGuKW1gq0p8Y6cNIgD5goI8DzesjzuvTOmT1CatLB7elZI/mzdxhfPMY9/ltUczX4JF9Dj3Czkh6xFrS59xEkv76xlRDJOkJ' +
  'lvQU63BHmAzGektsAsRhkSxpTcKx81Wsw6IXbMdtaT69W8j9hskTyp3/A7vdPAkeGK+FiDniUD8AAAAASUVORK5CYII='
