import { describe, expect, it } from 'vitest'
import { atLeast, atMost, isMet, median, relaxed } from './statistics'

describe('median', () => {
  it('is the middle value, whatever the order', () => {
    expect(median([9, 1, 5])).toBe(5)
  })

  it('is the mean of the two in the middle of an even count', () => {
    expect(median([4, 1, 3, 2])).toBe(2.5)
  })

  it('ignores one outlier, and leaves its input alone', () => {
    const values = [1, 2, 1_000_000]
    expect(median(values)).toBe(2)
    expect(values).toEqual([1, 2, 1_000_000])
  })

  it('refuses to answer for nothing', () => {
    expect(() => median([])).toThrow(RangeError)
  })
})

describe('isMet', () => {
  it('holds at the limit itself', () => {
    expect(isMet(1.15, atMost(1.15))).toBe(true)
    expect(isMet(7, atLeast(7))).toBe(true)
  })

  it('fails beyond it', () => {
    expect(isMet(1.16, atMost(1.15))).toBe(false)
    expect(isMet(6.9, atLeast(7))).toBe(false)
  })

  it('says nothing without a target', () => {
    expect(isMet(3, undefined)).toBeUndefined()
  })
})

describe('relaxed', () => {
  it('gives room in either direction', () => {
    expect(relaxed(atMost(2), 1.5)).toEqual(atMost(3))
    expect(relaxed(atLeast(3), 1.5)).toEqual(atLeast(2))
  })
})
