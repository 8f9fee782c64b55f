'use client'

import { type CSSProperties, createContext, type ReactNode, use } from 'react'
import { hueOf, type LaneHues, laneHues } from '@/lib/graph/lane-hues'
import type { GraphLane } from '@/lib/protocol'

const LaneHuesContext = createContext<LaneHues>(new Map())

/** Gives its children the hues of a chat's lanes. */
export function LanesProvider({ lanes, children }: { lanes: readonly GraphLane[]; children: ReactNode }) {
  return <LaneHuesContext value={laneHues(lanes)}>{children}</LaneHuesContext>
}

/** The hues of the lanes of the chat; none where no chat is open. */
export const useLaneHues = (): LaneHues => use(LaneHuesContext)

/** A hue of the theme, as CSS. */
export const hueColor = (hue: number): string => `var(--lane-${hue})`

/** Tells the colour of a lane, as CSS. */
export function useLaneColor(): (lane: number) => string {
  const hues = useLaneHues()
  return (lane) => hueColor(hueOf(hues, lane))
}

/** Gives an element and its content a lane's colour, as `--lane`. */
export function useLaneStyle(): (lane: number | null) => CSSProperties {
  const laneColor = useLaneColor()
  return (lane) => ({ '--lane': laneColor(lane ?? 0) }) as CSSProperties
}

/** A dot in the colour of a lane, also on a page that the server makes. */
export const LaneDot = ({ lane }: { lane: number }) => (
  <span aria-hidden style={useLaneStyle()(lane)} className="size-2 shrink-0 rounded-full bg-(--lane)" />
)
