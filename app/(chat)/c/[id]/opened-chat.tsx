'use client'

import type { ComponentProps } from 'react'
import { ChatWorkspace } from '@/components/workspace/chat-workspace'
import * as actions from './actions'

/** A chat with the actions of its page. Their code knows their addresses: no page has to carry them. */
export function OpenedChat(props: Omit<ComponentProps<typeof ChatWorkspace>, 'actions'>) {
  return <ChatWorkspace {...props} actions={actions} />
}
