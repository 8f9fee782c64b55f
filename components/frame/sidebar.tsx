'use client'

import { CircleUserRound, GitFork, PanelLeft } from 'lucide-react'
import Link from 'next/link'
import { offers } from '@/components/actions/action'
import { help, newChat, palette, search, themeActions } from '@/components/actions/on-app'
import { useApp, type Viewer } from '@/components/app/app-context'
import { newChatPath } from '@/components/app/paths'
import { Button, IconButton } from '@/components/ui/button'
import { Kbd } from '@/components/ui/kbd'
import { Segmented } from '@/components/ui/segmented'
import { useTheme } from '@/components/ui/use-theme'
import { ChatList } from './chat-list'

interface SidebarProps {
  pathname: string
  /** called when a link or action in it is used; closes the sheet */
  onLeave?(): void
}

export function Sidebar({ pathname, onLeave }: SidebarProps) {
  const app = useApp()
  const leaving = (action: () => void) => () => {
    onLeave?.()
    action()
  }
  return (
    <>
      <div className="flex h-12 shrink-0 items-center justify-between pr-2 pl-4">
        <Link
          href={newChatPath}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey) return
            event.preventDefault()
            leaving(app.newChat)()
          }}
          className="flex items-center gap-2 font-semibold"
        >
          <GitFork size={17} aria-hidden className="rotate-180 text-accent" />
          Ramify
        </Link>
        <IconButton
          label="Close sidebar"
          size="icon-sm"
          Icon={PanelLeft}
          onClick={leaving(onLeave ? () => undefined : app.sidebar.toggle)}
        />
      </div>
      <div className="flex flex-col gap-1 px-2 pb-2">
        {offers([newChat, search], app).map(({ id, short, Icon, hotkey, run }) => (
          <Button
            key={id}
            look={hotkey ? 'quiet' : 'outline'}
            className="justify-start"
            aria-label={short}
            onClick={leaving(run)}
          >
            {Icon && <Icon size={16} aria-hidden className="text-muted" />}
            <span className="flex-1 text-start">{short}</span>
            {hotkey && (
              <span aria-hidden className="touch:hidden">
                <Kbd>{hotkey}</Kbd>
              </span>
            )}
          </Button>
        ))}
      </div>
      <nav aria-label="Your chats" className="min-h-0 flex-1 overflow-y-auto px-2 pb-4">
        <ChatList pathname={pathname} onLeave={onLeave} />
      </nav>
      <div className="flex shrink-0 items-center justify-between gap-2 border-line border-t px-2 py-2 touch:flex-wrap">
        <span className="flex min-w-0 items-center gap-2 touch:min-w-28 px-2 text-muted text-sm">
          <CircleUserRound size={16} aria-hidden className="shrink-0" />
          <span className="truncate">{viewerName(app.viewer)}</span>
        </span>
        <span className="ml-auto flex shrink-0">
          {offers([palette, help], app).map(({ id, label, hint, Icon, run }) => (
            <IconButton key={id} {...{ label, hint, Icon }} size="tool" onClick={leaving(run)} />
          ))}
        </span>
        <ThemeSwitch />
      </div>
    </>
  )
}

function viewerName(viewer: Viewer | null): string {
  if (!viewer) return 'Not signed in'
  return viewer.guest ? 'Guest' : viewer.name
}

function ThemeSwitch() {
  const { choice, choose } = useTheme()
  const options = themeActions.map(({ id, short, Icon }) => ({ value: id, label: short, Icon }))
  return <Segmented label="Theme" value={choice} options={options} onChange={choose} className="shrink-0" />
}
