import type { CSSProperties } from 'react'
import { type Box, openingBounds } from '../model/geometry'

/**
 * The view of {@link openingView} as a style: the server does not know how large the panel is, so it leaves the sums to
 * the browser. Goes on a box inside one with `container-type: size`, and sets `--zoom`.
 */
export function openingStyle(drawing: Box, head: Box): CSSProperties {
  const { pad, top, bottom, right, readableZoom, headAt } = openingBounds
  // a length by a length is a number: the tangent of their angle
  const ratio = (room: string, size: number) => `tan(atan2(${room}, ${size}px))`
  const fit = [
    '1',
    ratio(`100cqw - ${2 * pad}px`, drawing.width),
    ratio(`100cqh - ${top + bottom}px`, drawing.height),
  ].join(', ')
  const either = (whole: string, part: string) =>
    `calc(var(--whole) * (${whole}) + (1 - var(--whole)) * (${part}))`
  const x = either(
    `(100cqw - ${drawing.width}px * var(--fit)) / 2`,
    `min(max(${pad}px, (100cqw - ${drawing.width}px) / 2), 100cqw - ${right + head.x + head.width}px)`,
  )
  const y = either(`${top}px`, `min(${top}px, ${headAt * 100}cqh - ${head.y}px)`)
  return {
    '--fit': `min(${fit})`,
    // 1 while all of it can be read, 0 below that
    '--whole': `clamp(0, (var(--fit) - ${readableZoom}) * 1000000 + 1, 1)`,
    '--zoom': 'calc(1 + (var(--fit) - 1) * var(--whole))',
    transform: `translate(${x}, ${y}) scale(var(--zoom))`,
    transformOrigin: '0 0',
  } as CSSProperties
}
