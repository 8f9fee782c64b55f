/** Suggestions of the start page: the demo model knows more than one answer to each. */
export const openers = [
  'Plan a quiet weekend in Lisbon.',
  'Explain recursion in one paragraph.',
  'Find a name for a small grey cat.',
] as const
