'use client'

import type { Route } from 'next'
import { createContext, use } from 'react'
import type { BranchId, ChatId, MessageId } from '@/lib/events'
import type { GraphIndex, Timeline, TourStop } from '@/lib/graph'
import type {
  ActionResult,
  BranchLine,
  ChatActions,
  ChatSummary,
  OfferedModel,
  SharedChatEntry,
} from '@/lib/protocol'
import type { Api } from './api'
import type { Keeping, ListQuery, Picked } from './listed'
import type { AppNews } from './news'

/** The server actions of the frame, handed to the client by the layout. */
interface AppActions extends Pick<ChatActions, 'renameChat'> {
  /** stores a conversation with branches to look around in */
  createSample(): Promise<ActionResult<{ chatId: string }>>
}

/** A message, and the branch to read it on. */
export interface MessagePlace {
  chatId: ChatId
  messageId: MessageId
  branch: { id: BranchId; name: string } | null
}

interface Viewer {
  id: string
  name: string
  guest: boolean
}

/** Signing in to an account, or up for a new one. */
export type AccountWay = 'in' | 'up'

/** Ways into this server. */
interface Access {
  /** true when a visitor may write without an account */
  guests: boolean
  /** true when the server shows itself: it keeps what is written for an hour */
  demo: boolean
  /** the services that the operator has set up */
  services: readonly ('github' | 'google')[]
  /** the host that passkeys belong to */
  passkeyHost: string
  /** true when everyone at this machine is its owner and no one signs in; `ended` once an account was made */
  personal: 'on' | 'ended' | 'off'
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

/** The list of chats: its pages so far. */
interface ChatListing {
  shown: readonly ChatSummary[]
  query: ListQuery
  /** shows another list */
  ask(query: Partial<ListQuery>): void
  loadMore(): void
  /** null after the last page */
  next: string | null
  total: number | undefined
  phase: 'ready' | 'loading' | 'failed'
}

/** A chat that is shown as it came about. */
export interface Tour {
  chatId: ChatId
  /** made of the graph that the page of the chat holds */
  scriptOf(index: GraphIndex): { timeline: Timeline; stops: TourStop[] }
}

export interface App {
  api: Api
  actions: AppActions
  viewer: Viewer | null
  access: Access
  /** asks for an account */
  openAccount(way: AccountWay): void
  /** ends the session of this browser, and loads the page anew */
  signOut(): void
  /** every chat that the page knows of, listed or not */
  chats: readonly ChatSummary[]
  list: ChatListing
  news: AppNews
  /** a chat was written to: moves it to the top of the list, adds it when new */
  noteChat(chat: Partial<ChatSummary> & Pick<ChatSummary, 'id'>): void
  /** a chat was deleted: takes it off the list */
  forgetChat(id: string): void
  /** asks for the list's facts about a chat that is not on its pages so far */
  findChat(id: string): void
  /** the chat whose title is edited where it stands on its page */
  renamingId: ChatId | null
  renameChat(chat: Pick<ChatSummary, 'id'> | null): void
  /** gives a chat a title; an empty one is none */
  retitle(chat: ChatSummary, title: string): void
  /** pins and tags chats */
  keepChats(picked: Picked, keeping: Keeping): Promise<unknown>
  /** with a way back */
  archiveChats(picked: Picked, archived: boolean): Promise<void>
  /** asks which tags chats have, beside an element */
  tagChats(picked: Picked, beside: Element | null): void
  /** asks in which form chats are saved */
  exportChats(picked: Picked): void
  /** asks before it deletes them */
  deleteChats(picked: Picked): void
  /** deletes chats; answers whether it could */
  removeChats(picked: Picked): Promise<boolean>
  /** makes the sample conversation a chat, and shows how it came about */
  openSample(): void
  /** the chat that is being shown as it came about */
  tour: Tour | null
  endTour(): void
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
  /** a new chat begins with it: the person’s model for new chats, else the last one chosen in this browser */
  model: string
  /** the model that answers on a branch without a choice */
  defaultModel: string
  setModel(id: string): void
  /** the chats of others that the person is a member of */
  sharedChats: readonly SharedChatEntry[]
  /** the names of the person's other servers */
  remotes: readonly string[]
  /** remotes were added or removed */
  noteRemotes(names: readonly string[]): void
  sidebar: { docked: boolean; toggle(): void }
  openPalette(): void
  openSettings(page: Route): void
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
