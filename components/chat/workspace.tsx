'use client'

import { useReducer, useRef, useState } from 'react'
import type { MessageId } from '@/lib/events'
import type { ChatActions, ChatView } from '@/lib/graph'
import { useStored } from '../ui/stored-value'
import { useApp } from './app-context'
import { ChatContext, type ChatTools } from './chat-context'
import { changeChat, headOf, openChat, page } from './chat-state'
import { CheckpointPopover, type Naming } from './checkpoint-popover'
import { Composer } from './composer'
import { EmptyChat } from './empty-chat'
import { useGraphHint } from './graph-hint'
import { GraphPanel } from './graph-panel'
import { liveGraph } from './live-graph'
import { NoticeBar } from './notice'
import { comparePath } from './paths'
import { articleOf, Thread, type ThreadHandle } from './thread'
import { threadRows, versionsOf } from './thread-rows'
import { useArrival } from './use-arrival'
import { useBodies } from './use-bodies'
import { useBranchUrl } from './use-branch-url'
import { useChatCommands } from './use-chat-commands'
import { useChatKeys } from './use-chat-keys'
import { useChatSummary } from './use-chat-summary'
import { useMoves } from './use-moves'
import { useSending } from './use-sending'
import { WorkspaceHeader } from './workspace-header'
import { type GraphMode, type Tab, WorkspaceLayout } from './workspace-layout'

interface WorkspaceProps {
  view: ChatView
  actions: ChatActions
  isNew: boolean
  compareHref?: string
}
