'use client'

import { useChat } from '@ai-sdk/react'
import { useEffect } from 'react'
import type { Turn } from '@/components/session/turn'
import { MessageBody } from './message-body'
import { messageText } from './message-text'

interface LiveReplyProps extends Pick<Turn, 'chat'> {
  /** called when the words on the screen have changed */
  onGrow(): void
}

/** The words of a reply as they stream in. It alone renders again with each of them. */
export function LiveReply({ chat, onGrow }: LiveReplyProps) {
  const { messages } = useChat({ chat, throttle: 50 })
  const reply = messages.findLast(({ role }) => role === 'assistant')
  const text = reply ? messageText(reply) : ''

  // biome-ignore lint/correctness/useExhaustiveDependencies: the words are what grows
  useEffect(() => onGrow(), [text])

  return text === '' ? <p className="caret h-6" /> : <MessageBody author="assistant" text={text} streaming />
}
