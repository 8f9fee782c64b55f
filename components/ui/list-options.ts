import type { RefObject } from 'react'

type Box = RefObject<HTMLDivElement | null>

/** The options of a list that opens beside its button. */
export const optionsIn = (box: Box) => [
  ...(box.current?.querySelectorAll<HTMLElement>('[role=option]') ?? []),
]

/** Moves the focus to the field of a long list, else to the chosen option. */
export function focusFirst(box: Box) {
  const options = optionsIn(box)
  const chosen = options.find((option) => option.ariaSelected === 'true') ?? options[0]
  chosen?.scrollIntoView({ block: 'nearest' })
  const field = box.current?.querySelector('input')
  // on a phone the keyboard would cover the list
  const typed = matchMedia('(pointer: fine)').matches ? field : null
  const target = typed ?? chosen
  target?.focus({ preventScroll: true })
}
