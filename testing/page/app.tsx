import { type ReactNode, Suspense, startTransition, use, useState } from 'react'
import { ResetPasswordPage } from '@/components/account/link-page'
import { MissingPage } from '@/components/app/no-chat'
import { ComparePage } from '@/components/compare/compare-page'
import { AppFrame } from '@/components/frame/app-frame'
import { AboutPage } from '@/components/settings/about-page'
import { AccountPage } from '@/components/settings/account-page'
import { ApiKeysPage } from '@/components/settings/api-keys-page'
import { AppearancePage } from '@/components/settings/appearance-page'
import { DataPage } from '@/components/settings/data-page'
import { KeyboardPage } from '@/components/settings/keyboard-page'
import { ModelSettingsPage } from '@/components/settings/model-settings-page'
import { NewChatSettingsPage } from '@/components/settings/new-chat-settings-page'
import { RemoteSettingsPage } from '@/components/settings/remotes/remote-settings-page'
import { SettingsFrame } from '@/components/settings/settings-frame'
import { ToolSettingsPage } from '@/components/settings/tool-settings-page'
import { UsagePage } from '@/components/settings/usage-page'
import { LinksPage } from '@/components/shares/links-page'
import { ChatWorkspace } from '@/components/workspace/chat-workspace'
import type { ChatActions } from '@/lib/protocol'
import { navigator } from '@/testing/machines/framework/navigation'
import { act, action } from './server'

// biome-ignore lint/suspicious/noExplicitAny: each page knows the type of its own data, as the server sends it
type Page = any

interface View {
  path: string
  // biome-ignore lint/suspicious/noExplicitAny: the same
  frame: any
  page: Page
}

export const readView = async (path: string): Promise<View> => ({ ...(await act('view', { path })), path })

/** Every action of the pages, as Next hands them to the browser: one request each. */
const actions = new Proxy({} as ChatActions, {
  get: (_, name) => (input: object) => action(String(name), input ?? {}),
  // the pages hand them on as `{...actions}`
  ownKeys: () => [],
})

/** The pages of `app/`, as its layouts and pages put them together, without Next. */
export function App({ first }: { first: View }) {
  const [view, setView] = useState<Promise<View> | View>(first)
  navigator.show = (path) => startTransition(() => setView(readView(path)))
  return (
    <Suspense>
      <Shown view={view} />
    </Suspense>
  )
}

function Shown({ view }: { view: Promise<View> | View }) {
  const { path, frame, page } = view instanceof Promise ? use(view) : view
  const frameActions = {
    createSample: () => action('createSample', {}),
    renameChat: actions.renameChat,
  }
  return (
    <AppFrame {...frame} actions={frameActions as never}>
      {pageAt(path, page)}
    </AppFrame>
  )
}

const settings: Record<string, (props: Page) => ReactNode> = {
  about: (props) => <AboutPage {...props} />,
  account: () => <AccountPage problem={null} />,
  appearance: () => <AppearancePage />,
  data: (props) => <DataPage {...props} />,
  keyboard: () => <KeyboardPage />,
  keys: () => <ApiKeysPage />,
  links: (props) => <LinksPage {...props} />,
  models: (props) => <ModelSettingsPage {...props} />,
  'new-chats': (props) => <NewChatSettingsPage {...props} />,
  remotes: (props) => <RemoteSettingsPage {...props} />,
  tools: (props) => <ToolSettingsPage {...props} />,
  usage: () => <UsagePage />,
}

function pageAt(path: string, page: Page): ReactNode {
  const [root, name = '', below] = new URL(path, 'http://localhost').pathname.split('/').slice(1)
  // where the link of a letter leads: it asks the server for nothing
  if (root === 'reset-password') return <ResetPasswordPage />
  if (page === null) return <MissingPage />
  if (root === 'settings') return <SettingsFrame>{settings[name]?.(page)}</SettingsFrame>
  if (below === 'compare') return <ComparePage comparison={page} actions={actions} />
  const isNew = root === ''
  return <ChatWorkspace key={isNew ? page.graph.chatId : name} view={page} actions={actions} isNew={isNew} />
}
