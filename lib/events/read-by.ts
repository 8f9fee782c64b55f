interface Reply {
  role: string
  metadata?: unknown
  parts: { type: string }[]
}

/** A message as another model than its own reads it: signatures and ids of providers mean nothing there, thoughts least. */
export function readBy<Message extends Reply>(modelId: string, message: Message): Message {
  const { model } = (message.metadata ?? {}) as { model?: unknown }
  if (message.role !== 'assistant' || model === modelId) return message
  const parts = message.parts.filter(({ type }) => type !== 'reasoning' && type !== 'reasoning-file')
  return { ...message, parts: parts.map(withoutMetadata) }
}

function withoutMetadata<Part extends object>(part: Part): Part {
  const { providerMetadata, callProviderMetadata, resultProviderMetadata, ...rest } = part as Part & {
    providerMetadata?: unknown
    callProviderMetadata?: unknown
    resultProviderMetadata?: unknown
  }
  return rest as Part
}
