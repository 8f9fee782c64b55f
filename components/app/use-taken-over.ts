'use client'

import { startTransition, useEffect, useEffectEvent } from 'react'

/** Keys that alone do nothing, and the key that leads to other places. */
const quietKeys = ['Tab', 'Shift', 'Control', 'Alt', 'Meta', 'CapsLock']

/** Calls back with the first click or key outside of some elements, after the event has done its work. */
export function useTakenOver(isOn: boolean, outside: string, onTaken: () => void): void {
  const taken = useEffectEvent(onTaken)
  useEffect(() => {
    if (!isOn) return
    const take = (event: Event) => {
      const isQuiet = event instanceof KeyboardEvent && quietKeys.includes(event.key)
      const isWithin = event.target instanceof Element && event.target.closest(outside)
      // the clicked element stays where it is until the click has reached it
      if (!isQuiet && !isWithin) startTransition(() => taken())
    }
    addEventListener('click', take, true)
    addEventListener('keydown', take, true)
    return () => {
      removeEventListener('click', take, true)
      removeEventListener('keydown', take, true)
    }
  }, [isOn, outside])
}
