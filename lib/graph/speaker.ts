const speakers: Readonly<Record<string, string>> = {
  user: 'You',
  assistant: 'Assistant',
  system: 'Instructions',
  tool: 'Tool',
}

/** The author of a message, by role. */
export const speakerOf = (role: string): string => speakers[role] ?? role
