import {
  ChartColumn,
  CircleHelp,
  Command,
  GitFork,
  KeyRound,
  type LucideIcon,
  Monitor,
  Moon,
  PanelLeft,
  Pencil,
  Plus,
  Search,
  Sun,
  Trash2,
  Wrench,
} from 'lucide-react'
import type { App } from '@/components/app/app-context'
import type { ThemeChoice } from '@/components/ui/use-theme'
import type { ChatSummary } from '@/lib/protocol'
import type { Action } from './action'

type OnApp = Pick<
  App,
  | 'newChat'
  | 'openSearch'
  | 'openPalette'
  | 'openHelp'
  | 'openSample'
  | 'openModelSettings'
  | 'openUsage'
  | 'openToolSettings'
  | 'sidebar'
>

export const newChat: Action<OnApp> = {
  id: 'new',
  label: 'New chat',
  Icon: Plus,
  run: (app) => app.newChat(),
}

export const search: Action<OnApp> = {
  id: 'search',
  label: 'Search messages',
  short: 'Search',
  words: 'find grep log',
  keys: ['/'],
  Icon: Search,
  run: (app) => app.openSearch(),
}

export const palette: Action<OnApp> = {
  id: 'palette',
  label: 'Command palette',
  keys: ['Ctrl+K'],
  Icon: Command,
  run: (app) => app.openPalette(),
}

export const help: Action<OnApp> = {
  id: 'help',
  label: 'Show keys',
  words: 'help shortcuts',
  keys: ['?'],
  Icon: CircleHelp,
  run: (app) => app.openHelp(),
}

export const sample: Action<OnApp> = {
  id: 'sample',
  label: 'Explore a sample conversation',
  Icon: GitFork,
  run: (app) => app.openSample(),
}

const sidebar: Action<OnApp> = {
  id: 'sidebar',
  label: 'Show or hide the sidebar',
  Icon: PanelLeft,
  run: (app) => app.sidebar.toggle(),
}

const modelSettings: Action<OnApp> = {
  id: 'models',
  label: 'Models and keys',
  words: 'settings provider api key',
  Icon: KeyRound,
  run: (app) => app.openModelSettings(),
}

const usage: Action<OnApp> = {
  id: 'usage',
  label: 'Usage and cost',
  words: 'settings tokens price money plot',
  Icon: ChartColumn,
  run: (app) => app.openUsage(),
}

const toolSettings: Action<OnApp> = {
  id: 'tools',
  label: 'Tools and servers',
  words: 'settings mcp tool server',
  Icon: Wrench,
  run: (app) => app.openToolSettings(),
}

/** What can be done on every page. */
export const appActions = [newChat, search, help, sample, modelSettings, toolSettings, usage, sidebar]

const theme = (id: ThemeChoice, label: string, short: string, Icon: LucideIcon) => ({
  ...{ id, label, short, Icon },
  run: (on: { choose(theme: ThemeChoice): void }) => on.choose(id),
})

export const themeActions = [
  theme('light', 'Light theme', 'Light', Sun),
  theme('dark', 'Dark theme', 'Dark', Moon),
  theme('system', 'Same theme as the system', 'Same as the system', Monitor),
]

export interface OnListedChat extends Pick<App, 'renameChat' | 'deleteChat'> {
  /** undefined while nothing of the chat is stored */
  chat: ChatSummary | undefined
}

const isStored = ({ chat }: OnListedChat) => chat !== undefined

export const renameThisChat: Action<OnListedChat> = {
  id: 'rename chat',
  label: 'Rename chat',
  short: 'Rename',
  words: 'title',
  Icon: Pencil,
  when: isStored,
  run: ({ chat, renameChat }) => chat && renameChat(chat),
}

export const deleteThisChat: Action<OnListedChat> = {
  id: 'delete chat',
  label: 'Delete chat',
  short: 'Delete',
  words: 'remove',
  danger: true,
  Icon: Trash2,
  when: isStored,
  run: ({ chat, deleteChat }) => chat && deleteChat(chat),
}

/** What can be done to a chat of the list. */
export const listedChatActions = [renameThisChat, deleteThisChat]
