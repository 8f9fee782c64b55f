'use client'

import { createContext, use } from 'react'
import type { BranchId, ChatId, MessageId } from '@/lib/events'
import type { ActionResult, BranchLine, ChatActions, ChatSummary, OfferedModel } from '@/lib/protocol'
import type { Api } from './api'

/** The server actions of the frame, handed to the client by the layout. */
interface AppActions extends Pick<ChatActions, 'renameChat' | 'deleteChat'> {
  /** stores a conversation with branches to look around in */
  createSample(): Promise<ActionResult<{ chatId: string }>>
}

/** A message, and the branch to read it on. */
export interface MessagePlace {
  chatId: ChatId
  messageId: MessageId
  branch: { id: BranchId; name: string } | null
}

export interface Viewer {
  id: string
  name: string
  guest: boolean
}

/** Something the command palette offers. */
export interface Command {
  id: string
  group: string
  label: string
  /** further words it is found by, git's among them */
  words?: string
  keys?: string[]
  /** the branch it goes to, drawn in place of the label */
  branch?: BranchLine
  run(): void
}

export interface App {
  api: Api
  actions: AppActions
  viewer: Viewer | null
  chats: readonly ChatSummary[]
  /** a chat was written to: moves it to the top of the list, adds it when new */
  noteChat(chat: Partial<ChatSummary> & Pick<ChatSummary, 'id'>): void
  /** a chat was deleted: takes it off the list */
  forgetChat(id: string): void
  renameChat(chat: ChatSummary): void
  deleteChat(chat: ChatSummary): void
  openSample(): void
  newChat(): void
  /** goes to a stored chat; until it is there, the page shows its shape */
  openChat(id: string): void
  /** goes to a message, on whatever page it is */
  openMessage(place: MessagePlace): void
  /** lets the page of a chat open its messages itself; `open` answers `false` for an unknown message */
  answerFor(chatId: ChatId, open: (place: MessagePlace) => boolean): () => void
  openSearch(): void
  /** counts up with every new chat: an empty page is always a fresh one */
  freshness: number
  models: readonly OfferedModel[]
  /** the last one chosen, for new chats and branches without a choice */
  model: string
  setModel(id: string): void
  sidebar: { docked: boolean; toggle(): void }
  openPalette(): void
  openModelSettings(): void
  openUsage(): void
  openToolSettings(): void
  openHelp(): void
  /** adds commands of the page to the palette, asked for when it opens; the returned function takes them back */
  offer(commands: () => readonly Command[]): () => void
}

export const AppContext = createContext<App | null>(null)

export function useApp(): App {
  const app = use(AppContext)
  if (!app) throw new Error('useApp needs <AppFrame> around it')
  return app
}
