'use client'

import { useEffect, useEffectEvent, useRef } from 'react'

/** Time that the keys rest before typed text is saved, in ms. */
const REST = 600

interface Autosave {
  /**
   * the change that is not saved yet; the same object for as long as it is the same. Null for nothing, and while it
   * is being saved
   */
  value: object | null
  /** @param leaving the page goes: the request has to outlive it */
  save(leaving: boolean): void
}

/** Saves a change: when the keys rest, at once after a choice, and when its place or the page is left. */
export function useAutosave({ value, save }: Autosave) {
  const wait = useRef(0)
  const begun = useRef<object | null>(null)
  const run = useEffectEvent((leaving: boolean) => {
    if (value === null || begun.current === value) return
    begun.current = value
    save(leaving)
  })
  useEffect(() => {
    if (value === null) {
      begun.current = null
      return
    }
    const timer = setTimeout(() => run(false), wait.current)
    return () => clearTimeout(timer)
  }, [value])
  useEffect(() => {
    const onPageHide = () => run(true)
    const onHidden = () => {
      if (document.visibilityState === 'hidden') run(false)
    }
    addEventListener('pagehide', onPageHide)
    document.addEventListener('visibilitychange', onHidden)
    return () => {
      removeEventListener('pagehide', onPageHide)
      document.removeEventListener('visibilitychange', onHidden)
      run(false)
    }
  }, [])
  return {
    /** tells of a change: one of many keys, or a choice */
    soon(isTyped: boolean) {
      wait.current = isTyped ? REST : 0
    },
    /** saves without waiting for the keys to rest */
    now: () => run(false),
  }
}
