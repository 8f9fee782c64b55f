'use client'

import { useApp } from '@/components/app/app-context'
import { timeWords } from '@/components/app/time-words'
import { useNow } from '@/components/app/use-on-client'
import { cn } from '@/components/ui/cn'
import type { ChatMessage } from '@/lib/protocol'
import { modelName, tokenWords } from './facts'

interface ReplyFactsProps {
  message: ChatMessage
  createdAt: number
  className?: string
}

/** Model, time and tokens of a reply: seen while the reply is pointed at or has the focus. */
export function ReplyFacts({ message, createdAt, className }: ReplyFactsProps) {
  const { models } = useApp()
  const now = useNow()
  const { model, usage } = message.metadata ?? {}
  const time = now && (
    <time key="time" dateTime={new Date(createdAt).toISOString()}>
      {timeWords(createdAt, now)}
    </time>
  )
  const facts = [model && modelName(models, model), time, tokenWords(usage)].filter(Boolean)
  return (
    <p className={cn('reply-facts', className)}>
      {facts.flatMap((fact, at) => (at === 0 ? [fact] : [' · ', fact]))}
    </p>
  )
}
