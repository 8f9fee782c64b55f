'use client'

import { useState } from 'react'
import { storedValue, useStored } from '@/components/ui/stored-value'
import { useOnClient } from './use-on-client'

const key = 'ramify-notify'

/** True where this browser shows notifications: a person has switched them on here, and the browser allows them. */
export const isNotifying = (): boolean =>
  storedValue(key) === 'on' && 'Notification' in globalThis && Notification.permission === 'granted'

/** The switch of notifications. The browser is asked when they are switched on, and at no other time. */
export function useNotifying() {
  const [stored, setStored] = useStored(key, 'off')
  const isOnClient = useOnClient()
  const [permission, setPermission] = useState<NotificationPermission | null>(null)
  const isPossible = !isOnClient || 'Notification' in globalThis
  const now = permission ?? (isOnClient && isPossible ? Notification.permission : 'default')

  const change = async (on: boolean) => {
    if (!on) return setStored(null)
    const answer = await Notification.requestPermission()
    setPermission(answer)
    setStored(answer === 'granted' ? 'on' : null)
  }
  return { on: stored === 'on' && now === 'granted', isPossible, isDenied: now === 'denied', change }
}
