import type { LanguageModelV4StreamPart as Part } from '@ai-sdk/provider'

export const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

export const finish: Part = { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage }

/** A text as a model streams it. */
export const textParts = (...deltas: string[]): Part[] => [
  { type: 'text-start', id: '0' },
  ...deltas.map((delta): Part => ({ type: 'text-delta', id: '0', delta })),
  { type: 'text-end', id: '0' },
]
