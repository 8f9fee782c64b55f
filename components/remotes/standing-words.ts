import type { RemoteState } from '@/lib/protocol'

/** The standing of a branch here to the one of a remote, in a few words. */
export function standingWords(
  { state, ahead, behind }: Pick<RemoteState['branches'][number], 'state' | 'ahead' | 'behind'>,
  remote: string,
): string {
  if (state === 'only_here') return `not on ${remote}`
  if (state === 'only_there') return `only on ${remote}`
  const said = [ahead > 0 && `${ahead} ahead`, behind > 0 && `${behind} behind`].filter(Boolean)
  return said.length === 0 ? `same as ${remote}` : `${said.join(', ')} ${remote}`
}
