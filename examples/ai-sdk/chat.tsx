import { useChat } from '@ai-sdk/react'
import { DefaultChatTransport, type UIMessage } from 'ai'
import type { ChatRequest } from './chat-route'

/** Sends the last message alone: the server reads the others from the store. */
export const chatTransport = (fetch?: typeof globalThis.fetch) =>
  new DefaultChatTransport<UIMessage>({
    api: '/api/chat',
    fetch,
    prepareSendMessagesRequest: ({ id, trigger, messages }) => {
      const body: ChatRequest = { id, trigger, message: messages.at(-1) }
      return { body }
    },
  })

const transport = chatTransport()

/** A chat, which begins with the messages of `GET /api/chat?id=…`. */
export function Chat({ id, initial }: { id: string; initial: UIMessage[] }) {
  const { messages, sendMessage, regenerate } = useChat({ id, messages: initial, transport })
  return (
    <form action={(form) => sendMessage({ text: String(form.get('text')) })}>
      {messages.map(({ id, role, parts }) => (
        <p key={id}>
          {role}: {parts.map((part) => (part.type === 'text' ? part.text : ''))}
        </p>
      ))}
      <input name="text" />
      <button type="button" onClick={() => regenerate()}>
        Try again
      </button>
    </form>
  )
}
