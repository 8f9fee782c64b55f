import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { repoRoot } from '@/testing/runner/repo-root'

type Triple = readonly [number, number, number]

const css = readFileSync(path.join(repoRoot, 'app/globals.css'), 'utf8')
const [light = '', dark = ''] = css.split(':root[data-theme="dark"]')

const colorsOf = (block: string) => {
  const color = (name: string): Triple => {
    const hex = block.match(new RegExp(`--${name}: #([0-9a-f]{6})`))?.[1]
    if (!hex) throw new Error(`There is no colour --${name}`)
    const at = (from: number) => linear(Number.parseInt(hex.slice(from, from + 2), 16) / 255)
    return [at(0), at(2), at(4)]
  }
  const lanes = Array.from({ length: 8 }, (_, lane) => color(`lane-${lane}`))
  return {
    lanes,
    accent: color('accent'),
    danger: color('danger'),
    grounds: ['canvas', 'surface', 'raised'].map(color),
  }
}

const linear = (part: number): number => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
const times = (rows: readonly Triple[], [x, y, z]: Triple): Triple =>
  rows.map(([a, b, c]) => a * x + b * y + c * z) as unknown as Triple

/** As people see it who lack one of the three kinds of cones (Machado and others, 2009). */
const eyes: Record<string, readonly Triple[]> = {
  'all eyes': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
}

/** Oklab, where equal distances look equal. */
function oklab(color: Triple): Triple {
  const cones = times(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    color,
  ).map((part) => Math.cbrt(Math.max(0, part))) as unknown as Triple
  return times(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    cones,
  )
}

/** ΔE in Oklab, times 100: 2 can just be told apart side by side. */
const difference = (one: Triple, other: Triple, seenBy: readonly Triple[]): number => {
  const [a, b] = [oklab(times(seenBy, one)), oklab(times(seenBy, other))]
  return 100 * Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
}

const luminance = ([r, g, b]: Triple): number => 0.2126 * r + 0.7152 * g + 0.0722 * b
const contrast = (one: Triple, other: Triple): number => {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

describe.each([
  ['light', light],
  ['dark', dark],
])('the hues of lanes, %s', (_, block) => {
  const { lanes, accent, danger, grounds } = colorsOf(block)

  test('have the contrast of a mark on every ground', () => {
    for (const lane of lanes)
      for (const ground of grounds) expect(contrast(lane, ground)).toBeGreaterThanOrEqual(3)
  })

  test.each(Object.entries(eyes))(
    'differ clearly for %s: neighbours most, and none looks like the accent',
    (who, seenBy) => {
      const full = who === 'all eyes'
      for (const [at, lane] of lanes.entries()) {
        expect(difference(lane, accent, seenBy), `lane ${at} and the accent`).toBeGreaterThan(full ? 11.5 : 6)
        expect(difference(lane, danger, seenBy), `lane ${at} and a failure`).toBeGreaterThan(full ? 7.5 : 3.5)
        for (const [other, color] of lanes.slice(0, at).entries()) {
          const apart = Math.min(at - other, 8 - at + other)
          const least = apart <= 2 ? (full ? 12.5 : 8.5) : full ? 10.5 : 5.5
          expect(difference(lane, color, seenBy), `lanes ${other} and ${at}`).toBeGreaterThan(least)
        }
      }
    },
  )
})
