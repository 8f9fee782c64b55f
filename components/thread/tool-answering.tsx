'use client'

import { createContext, type ReactNode, use, useState } from 'react'
import { useChatTools } from '@/components/session/chat-context'
import type { ChatMessage, GraphNode } from '@/lib/protocol'

/** What is known of the tools that wait in a message. */
interface Answering {
  /** what the person said, where that is known, by the id of the approval */
  answers: ReadonlyMap<string, boolean>
  /** allows a tool, or not; absent where nothing can be said any more */
  answer?: (approvalId: string, approved: boolean) => void
  busy: boolean
}

const AnsweringContext = createContext<Answering | null>(null)

/** For the part of a tool that waits; null outside of a thread. */
export const useAnswering = (): Answering | null => use(AnsweringContext)

interface ToolAnsweringProps {
  node: GraphNode
  message: ChatMessage
  isHead: boolean
  /** the message below it, which begins with the answers where there were any */
  next: ChatMessage | undefined
  children: ReactNode
}

/**
 * Gathers what a person says to the tools that wait at the end of a branch, and sends it once each has its answer. Further
 * up, the answers are read from the message below.
 */
export function ToolAnswering({ node, message, isHead, next, children }: ToolAnsweringProps) {
  const waiting = approvalsOf(message).filter(({ approved }) => approved === undefined)
  if (waiting.length === 0) return children
  const ids = waiting.map(({ id }) => id)
  if (isHead) {
    return (
      <AtEnd node={node} ids={ids}>
        {children}
      </AtEnd>
    )
  }
  const answers = new Map(
    approvalsOf(next).flatMap(({ id, approved }) => (approved === undefined ? [] : [[id, approved]])),
  )
  return <AnsweringContext value={{ answers, busy: false }}>{children}</AnsweringContext>
}

function AtEnd({ node, ids, children }: { node: GraphNode; ids: readonly string[]; children: ReactNode }) {
  const { busy, answer: send } = useChatTools()
  const [answers, setAnswers] = useState<ReadonlyMap<string, boolean>>(new Map())
  const answer = (approvalId: string, approved: boolean) => {
    const now = new Map(answers).set(approvalId, approved)
    setAnswers(now)
    const all = ids.flatMap((id) => {
      const said = now.get(id)
      return said === undefined ? [] : [{ approvalId: id, approved: said }]
    })
    if (all.length < ids.length) return
    // the button is going, and the focus would go with it
    document.activeElement?.closest('article')?.focus({ preventScroll: true })
    send(node, all)
  }
  return <AnsweringContext value={{ answers, answer, busy }}>{children}</AnsweringContext>
}

/** The approvals that the parts of a message have, asked for or given. */
function approvalsOf(message: ChatMessage | undefined): { id: string; approved?: boolean }[] {
  return (message?.parts ?? []).flatMap((part) =>
    'approval' in part && part.approval ? [part.approval as { id: string; approved?: boolean }] : [],
  )
}
