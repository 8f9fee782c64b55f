import { useEffect, useEffectEvent } from 'react'

/** Time between two looks of a page that stays in view, in ms. */
const EVERY = 30_000

/** Calls `look` when the page comes into view, and again and again while it is: other devices may make changes. */
export function useLookedAt(look: () => void): void {
  const seen = useEffectEvent(() => {
    if (!document.hidden) look()
  })
  useEffect(() => {
    const again = () => seen()
    document.addEventListener('visibilitychange', again)
    addEventListener('focus', again)
    const timer = setInterval(again, EVERY)
    return () => {
      document.removeEventListener('visibilitychange', again)
      removeEventListener('focus', again)
      clearInterval(timer)
    }
  }, [])
}
