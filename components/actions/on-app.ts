import {
  Archive,
  ArchiveRestore,
  ChartColumn,
  CircleHelp,
  Command,
  ExternalLink,
  FileUp,
  GitFork,
  KeyRound,
  ListChecks,
  type LucideIcon,
  Monitor,
  Moon,
  Palette,
  PanelLeft,
  Pencil,
  Pin,
  PinOff,
  Plus,
  Search,
  Server,
  Settings,
  Sun,
  Tag,
  Trash2,
  Wrench,
} from 'lucide-react'
import type { Route } from 'next'
import type { App } from '@/components/app/app-context'
import {
  accountPath,
  appearancePath,
  dataPath,
  modelSettingsPath,
  remotesPath,
  toolSettingsPath,
  usagePath,
} from '@/components/app/paths'
import type { ThemeChoice } from '@/components/ui/use-theme'
import type { ChatSummary } from '@/lib/protocol'
import type { Action } from './action'

type OnApp = Pick<
  App,
  'newChat' | 'openSearch' | 'openPalette' | 'openHelp' | 'openSample' | 'openSettings' | 'sidebar'
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
  label: 'See an example',
  words: 'sample conversation tour demo',
  Icon: GitFork,
  run: (app) => app.openSample(),
}

const sidebar: Action<OnApp> = {
  id: 'sidebar',
  label: 'Show or hide the sidebar',
  Icon: PanelLeft,
  run: (app) => app.sidebar.toggle(),
}

const toSettings = (
  id: string,
  page: Route,
  label: string,
  words: string,
  Icon: LucideIcon,
): Action<OnApp> => ({ id, label, Icon, words: `settings ${words}`, run: (app) => app.openSettings(page) })

const settings: readonly Action<OnApp>[] = [
  toSettings('account', accountPath, 'Settings and account', 'preferences password email', Settings),
  toSettings('models', modelSettingsPath, 'Models and keys', 'provider api key', KeyRound),
  toSettings('tools', toolSettingsPath, 'Tools and servers', 'mcp tool server', Wrench),
  toSettings('remotes', remotesPath, 'Remotes', 'server push pull clone sync git', Server),
  toSettings('usage', usagePath, 'Usage and cost', 'tokens price money plot', ChartColumn),
  toSettings('import', dataPath, 'Import chats…', 'data chatgpt claude export zip bring', FileUp),
  toSettings('appearance', appearancePath, 'Appearance', 'theme dark light density text size', Palette),
]

/** Actions of every page. */
export const appActions = [newChat, search, help, sample, ...settings, sidebar]

const theme = (id: ThemeChoice, label: string, short: string, Icon: LucideIcon) => ({
  id,
  label,
  short,
  Icon,
  run: (on: { choose(theme: ThemeChoice): void }) => on.choose(id),
})

export const themeActions = [
  theme('light', 'Light theme', 'Light', Sun),
  theme('dark', 'Dark theme', 'Dark', Moon),
  theme('system', 'Same theme as the system', 'Same as the system', Monitor),
]

export interface OnListedChat
  extends Pick<App, 'renameChat' | 'deleteChats' | 'keepChats' | 'archiveChats' | 'tagChats'> {
  /** undefined while nothing of the chat is stored */
  chat: ChatSummary | undefined
  /** begins to select chats; undefined outside the list */
  select?: ((chat: ChatSummary) => void) | undefined
}

const isStored = ({ chat }: OnListedChat) => chat !== undefined

const pinThisChat: Action<OnListedChat> = {
  id: 'pin chat',
  label: 'Pin or unpin the chat',
  named: ({ chat }) => (chat?.pinnedAt == null ? 'Pin chat' : 'Unpin chat'),
  words: 'favourite star top',
  iconOn: ({ chat }) => (chat?.pinnedAt == null ? Pin : PinOff),
  when: isStored,
  run: ({ chat, keepChats }) => chat && void keepChats({ chats: [chat] }, { pinned: chat.pinnedAt === null }),
}

const renameThisChat: Action<OnListedChat> = {
  id: 'rename chat',
  label: 'Rename chat',
  words: 'title',
  keys: ['F2'],
  Icon: Pencil,
  when: isStored,
  run: ({ chat, renameChat }) => chat && renameChat(chat),
}

const tagThisChat: Action<OnListedChat> = {
  id: 'tag chat',
  label: 'Tags…',
  words: 'label folder project',
  Icon: Tag,
  when: isStored,
  run: ({ chat, tagChats }, from) => chat && tagChats({ chats: [chat] }, from),
}

const archiveThisChat: Action<OnListedChat> = {
  id: 'archive chat',
  label: 'Archive or unarchive the chat',
  named: ({ chat }) => (chat?.archivedAt == null ? 'Archive chat' : 'Unarchive chat'),
  words: 'hide',
  iconOn: ({ chat }) => (chat?.archivedAt == null ? Archive : ArchiveRestore),
  when: isStored,
  run: ({ chat, archiveChats }) => chat && void archiveChats({ chats: [chat] }, chat.archivedAt === null),
}

const openOrigin: Action<OnListedChat> = {
  id: 'open origin',
  label: 'Open where it was imported from',
  named: ({ chat }) => (chat?.origin ? `Open on ${new URL(chat.origin.url).host}` : openOrigin.label),
  words: 'import source link original',
  Icon: ExternalLink,
  when: ({ chat }) => chat?.origin != null && URL.canParse(chat.origin.url),
  run: ({ chat }) => chat?.origin && open(chat.origin.url, '_blank', 'noopener,noreferrer'),
}

export const deleteThisChat: Action<OnListedChat> = {
  id: 'delete chat',
  label: 'Delete chat',
  words: 'remove',
  danger: true,
  Icon: Trash2,
  when: isStored,
  run: ({ chat, deleteChats }) => chat && deleteChats({ chats: [chat] }),
}

/** Actions on a chat of the list. */
export const listedChatActions = [
  pinThisChat,
  renameThisChat,
  tagThisChat,
  openOrigin,
  archiveThisChat,
  deleteThisChat,
]

/** Begins an act on many. */
export const selectChats: Action<OnListedChat> = {
  id: 'select chats',
  label: 'Select chats',
  Icon: ListChecks,
  when: ({ select }) => select !== undefined,
  run: ({ chat, select }) => chat && select?.(chat),
}
