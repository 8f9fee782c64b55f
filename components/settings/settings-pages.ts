import {
  ChartColumn,
  CircleUserRound,
  Code,
  Database,
  Info,
  Keyboard,
  KeyRound,
  Link2,
  type LucideIcon,
  MessageSquarePlus,
  Palette,
  Server,
  Wrench,
} from 'lucide-react'
import type { Route } from 'next'
import {
  aboutPath,
  accountPath,
  apiKeysPath,
  appearancePath,
  dataPath,
  keyboardPath,
  linksPath,
  modelSettingsPath,
  newChatSettingsPath,
  remotesPath,
  toolSettingsPath,
  usagePath,
} from '@/components/app/paths'

/** The pages of the settings, in the order of their list. A page that is not here is not found. */
export const settingsPages: readonly { path: Route; label: string; Icon: LucideIcon }[] = [
  { path: accountPath, label: 'Account', Icon: CircleUserRound },
  { path: newChatSettingsPath, label: 'New chats', Icon: MessageSquarePlus },
  { path: modelSettingsPath, label: 'Models', Icon: KeyRound },
  { path: toolSettingsPath, label: 'Tools', Icon: Wrench },
  { path: remotesPath, label: 'Remotes', Icon: Server },
  { path: linksPath, label: 'Links', Icon: Link2 },
  { path: usagePath, label: 'Usage', Icon: ChartColumn },
  { path: apiKeysPath, label: 'API keys', Icon: Code },
  { path: appearancePath, label: 'Appearance', Icon: Palette },
  { path: keyboardPath, label: 'Keyboard', Icon: Keyboard },
  { path: dataPath, label: 'Data', Icon: Database },
  { path: aboutPath, label: 'About', Icon: Info },
]
