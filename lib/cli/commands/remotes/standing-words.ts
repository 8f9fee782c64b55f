import type { RemoteState } from '@/lib/protocol'

/** The standing of a branch here to the one of a remote, in a few words. */
export function standingWords({ state, ahead, behind }: RemoteState['branches'][number]): string {
  if (state === 'only_there') return 'not here; ramify pull brings it'
  if (state === 'only_here') return 'not there; ramify push sends it'
  const said = [ahead > 0 && `${ahead} ahead`, behind > 0 && `${behind} behind`].filter(Boolean)
  return said.length === 0 ? 'up to date' : said.join(', ')
}
