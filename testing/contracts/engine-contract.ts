import { describe } from 'vitest'
import { describeDepartures } from './engine/departures'
import { describeMerges } from './engine/merging'
import { describeMoves } from './engine/moves'
import { describeReference } from './engine/reference'
import { describeReplays } from './engine/replays'
import { type OpenedStore, useStore } from './store-contract'

/** What `ContextEngine` promises on any store: all examples of seeds/002 and seeds/003, all departures of DESIGN.md §5. */
export function describeEngineContract(name: string, open: () => Promise<OpenedStore>): void {
  describe(`ContextEngine on ${name}`, () => {
    const getStore = useStore(open)
    describeReference(getStore)
    describeMoves(getStore)
    describe('merge, pick and compact', () => describeMerges(getStore))
    describeDepartures(getStore)
    describe('replay', () => describeReplays(getStore))
  })
}
