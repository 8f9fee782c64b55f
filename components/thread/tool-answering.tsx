'use client'

import { createContext, type ReactNode, use, useState } from 'react'
import { useChatTools } from '@/components/session/chat-context'
import type { ChatMessage, GraphNode } from '@/lib/protocol'

/** A person's answer to a tool that waits; `always`: it may run now, and from then on without asking. */
export type Said = 'allow' | 'deny' | 'always'

interface Answer {
  approvalId: string
  /** the tool's name */
  name: string
  said: Said
}

/** The state of the tools that wait in a message. */
interface Answering {
  /** the person's answers, where they are known, by the id of the approval */
  answers: ReadonlyMap<string, Said>
  /** absent where nothing can be said any more */
  answer?: (answer: Answer) => void
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
    approvalsOf(next).flatMap(({ id, approved }): [string, Said][] =>
      approved === undefined ? [] : [[id, approved ? 'allow' : 'deny']],
    ),
  )
  return <AnsweringContext value={{ answers, busy: false }}>{children}</AnsweringContext>
}

function AtEnd({ node, ids, children }: { node: GraphNode; ids: readonly string[]; children: ReactNode }) {
  const { busy, readOnly, answer: send } = useChatTools()
  const [given, setGiven] = useState<ReadonlyMap<string, Answer>>(new Map())
  const answers = new Map([...given].map(([id, { said }]) => [id, said]))
  const answer = (one: Answer) => {
    const now = new Map(given).set(one.approvalId, one)
    setGiven(now)
    const all = ids.flatMap((id) => now.get(id) ?? [])
    if (all.length < ids.length) return
    // the button is going, and the focus would go with it
    document.activeElement?.closest('article')?.focus({ preventScroll: true })
    send(
      node,
      all.map(({ approvalId, said }) => ({ approvalId, approved: said !== 'deny' })),
      all.filter(({ said }) => said === 'always').map(({ name }) => name),
    )
  }
  return <AnsweringContext value={{ answers, answer, busy: busy || readOnly }}>{children}</AnsweringContext>
}

/** The approvals that the parts of a message have, asked for or given. */
function approvalsOf(message: ChatMessage | undefined): { id: string; approved?: boolean }[] {
  return (message?.parts ?? []).flatMap((part) =>
    'approval' in part && part.approval ? [part.approval as { id: string; approved?: boolean }] : [],
  )
}
