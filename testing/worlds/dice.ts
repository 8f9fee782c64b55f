/** Numbers that look random and are the same for the same seed: a failing sequence can be repeated. */
export interface Dice {
  /** a whole number from 0 to `below` - 1 */
  roll(below: number): number
}

/** @param seed any whole number; print it with the trials it decided */
export function dice(seed: number): Dice {
  let state = seed >>> 0
  return {
    roll(below) {
      // mulberry32
      state = (state + 0x6d2b79f5) >>> 0
      let t = Math.imul(state ^ (state >>> 15), 1 | state)
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
      return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below)
    },
  }
}
