'use client'

import { useState } from 'react'
import { getJson } from '@/components/app/api'
import { useApp } from '@/components/app/app-context'
import { problemOf, unreached } from '@/components/app/problem'
import { messagesUrl } from '@/components/session/read-chat'
import type { ChatMessage, Comparison, Problem, ThreadWindow } from '@/lib/protocol'
import type { Which } from './sides'

/** Messages of a side that are fetched at a time. */
const page = 100

/** The messages of both sides that are here, and a function that loads the messages below. */
export function useMessages({ chatId, common, left, right }: Comparison) {
  const { api } = useApp()
  // messages never change, so those fetched of a branch below a place stay valid
  const [later, setLater] = useState<ReadonlyMap<string, readonly ChatMessage[]>>(new Map())
  const [loading, setLoading] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)

  const sides = { left, right }
  const keyOf = (which: Which) => `${common} ${sides[which]?.branch.id}`
  const messagesOf = (which: Which): ChatMessage[] => {
    const side = sides[which]
    return side ? [...side.messages, ...(later.get(keyOf(which)) ?? [])].slice(0, side.length) : []
  }
  const missingOf = (which: Which) => (sides[which]?.length ?? 0) - messagesOf(which).length

  const loadSide = async (which: Which) => {
    const branchId = sides[which]?.branch.id
    const limit = Math.min(page, missingOf(which))
    if (branchId === undefined || limit === 0) return
    const from = common + messagesOf(which).length
    const url = messagesUrl(chatId, branchId, from + limit, limit)
    const { messages } = await getJson<ThreadWindow>(api, url)
    setLater((now) => new Map(now).set(keyOf(which), [...(later.get(keyOf(which)) ?? []), ...messages]))
  }

  return {
    left: messagesOf('left'),
    right: messagesOf('right'),
    missing: missingOf('left') + missingOf('right'),
    loading,
    problem,
    async loadMore() {
      setLoading(true)
      setProblem(null)
      try {
        await Promise.all([loadSide('left'), loadSide('right')])
      } catch (error) {
        setProblem(problemOf(error, unreached))
      }
      setLoading(false)
    },
  }
}
