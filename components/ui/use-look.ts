'use client'

import { useEffect } from 'react'
import { useStored } from './stored-value'
import { densityKey, textSizeKey } from './theme-script'

const looks = { density: densityKey, textSize: textSizeKey } as const

/** A choice of how pages look in this browser: an attribute of the document, which the style sheet reads. */
export function useLook(name: keyof typeof looks, usual: string): [string, (value: string) => void] {
  const [value, store] = useStored(looks[name], usual)
  useEffect(() => {
    if (value === usual) delete document.documentElement.dataset[name]
    else document.documentElement.dataset[name] = value
  }, [name, value, usual])
  return [value, (next) => store(next === usual ? null : next)]
}
