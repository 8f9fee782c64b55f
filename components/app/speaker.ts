/** The author of a message, by role. */
export function speakerOf(role: string): string {
  if (role === 'user') return 'You'
  return role === 'assistant' ? 'Assistant' : role
}
