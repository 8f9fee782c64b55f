import type { Box } from '../model/geometry'

const bandHeight = 64

/**
 * The labels that can be shown without covering each other; the first in the list win.
 *
 * @param labels with their boxes on the screen, the most wanted first
 */
export function spreadLabels(labels: readonly { id: string; box: Box }[]): Set<string> {
  const shown = new Set<string>()
  const bands = new Map<number, Box[]>()
  for (const { id, box } of labels) {
    const first = Math.floor(box.y / bandHeight)
    const last = Math.floor((box.y + box.height) / bandHeight)
    const around: Box[][] = []
    for (let band = first; band <= last; band++) {
      const taken = bands.get(band) ?? []
      bands.set(band, taken)
      around.push(taken)
    }
    if (around.some((taken) => taken.some((other) => overlap(box, other)))) continue
    for (const taken of around) taken.push(box)
    shown.add(id)
  }
  return shown
}

const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
