import type { ContextId } from '@/lib/events'
import type { ChatFile } from '@/lib/protocol'
import { contextOf } from '../turns/context-value'

type Context = ChatFile['contexts'][number]

/** The keys under which payloads of events name contexts. */
export const contextKeys = ['context_id', 'from_context_id'] as const

/**
 * A chat's file in which every tool asks first. Only a person may allow tools, on their own server: a file
 * may come from anywhere, so it cannot. Its contexts get the names of their new content.
 *
 * @returns the same file when every tool asks already
 */
export function withToolsAsking(file: ChatFile): ChatFile {
  const contexts = file.contexts.map(asking)
  const names = new Map<ContextId, ContextId>()
  for (const [at, { id }] of file.contexts.entries()) {
    const now = contexts[at]?.id
    if (now !== undefined && now !== id) names.set(id, now)
  }
  if (names.size === 0) return file
  const renamed = <Id extends ContextId | null | undefined>(id: Id) => (names.get(id ?? '') ?? id) as Id
  return {
    ...file,
    contexts,
    branches: file.branches.map((branch) => ({ ...branch, contextId: renamed(branch.contextId) })),
    messages: file.messages.map(({ contextId, ...message }) => ({
      ...message,
      ...(contextId !== undefined && { contextId: renamed(contextId) }),
    })),
    history: file.history.map((event) => {
      if ('messageId' in event) return event
      const payload = { ...event.payload }
      for (const key of contextKeys) {
        const id = payload[key]
        if (typeof id === 'string') payload[key] = renamed(id)
      }
      return { ...event, payload }
    }),
  }
}

/** A context whose tools ask. It keeps its old name in its content: two that differ in their tools alone stay two. */
export function asking(context: Context): Context {
  const choices = Object.entries(context.setup?.tools ?? {})
  // a file may claim anything, and unknown tools may not run
  if (choices.every(([, approval]) => approval === 'ask' || approval === 'never')) return context
  const tools = Object.fromEntries(
    choices.map(([name, approval]) => [name, approval === 'never' ? 'never' : 'ask'] as const),
  )
  const setup = { ...context.setup, tools, lowered: context.id }
  return { ...context, id: contextOf({ ...context, setup }).id, setup }
}
