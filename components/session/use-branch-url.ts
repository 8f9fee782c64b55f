'use client'

import { type Dispatch, useEffect, useEffectEvent, useRef } from 'react'
import { chatPath } from '@/components/app/paths'
import { useOnChange } from '@/components/ui/use-on-change'
import type { BranchId } from '@/lib/events'
import type { ChatAction, ChatSession } from './chat-session'

/**
 * Keeps the branch being read in the address, for sharing, reloading and the Back button. Next takes
 * over what `history` is told here, and fetches nothing.
 *
 * @param onBack the browser's Back or Forward leads to a branch
 */
export function useBranchUrl(
  { index, branchId, lookedFrom, unsaved }: ChatSession,
  dispatch: Dispatch<ChatAction>,
  onBack: () => void,
): void {
  const { chatId, branches } = index.graph
  const opened = useRef<BranchId>(branchId)
  const addressBefore = useRef<string | null>(null)
  const looks = lookedFrom !== null
  const name = index.branch(branchId)?.name
  const path = chatPath(chatId)

  /** The branch the address means; an address without one means the branch the page opened on. */
  const meant = (): BranchId | undefined => {
    const wanted = new URLSearchParams(location.search).get('branch')
    if (wanted === null) return opened.current
    return branches.find((branch) => branch.name === wanted || branch.id === wanted)?.id
  }

  useOnChange([path, branchId, name, unsaved, looks], () => {
    if (unsaved || name === undefined) return
    // a look at the past leaves no entry in the browser's history
    if (looks) {
      addressBefore.current ??= `${location.pathname}${location.search}`
      return history.replaceState(null, '', `${path}?branch=${encodeURIComponent(name)}`)
    }
    if (addressBefore.current !== null) history.replaceState(null, '', addressBefore.current)
    addressBefore.current = null
    const elsewhere = location.pathname !== path
    if (elsewhere) opened.current = branchId
    const now = meant()
    if (!elsewhere && now === branchId) return
    const url = elsewhere ? path : `${path}?branch=${encodeURIComponent(name)}`
    // a renamed branch is still the same place
    if (elsewhere || now === undefined) history.replaceState(null, '', url)
    else history.pushState(null, '', url)
  })

  const read = useEffectEvent(() => {
    const now = location.pathname === path ? meant() : undefined
    addressBefore.current = null
    if (now === undefined) return
    onBack()
    dispatch({ type: 'branch', branchId: now })
  })

  useEffect(() => {
    const listener = () => read()
    addEventListener('popstate', listener)
    return () => removeEventListener('popstate', listener)
  }, [])
}
