'use client'

import { CircleUserRound, GitFork, PanelLeft } from 'lucide-react'
import Link from 'next/link'
import { RadioGroup } from 'radix-ui'
import { offers } from '@/components/actions/action'
import { newChat, search, themeActions } from '@/components/actions/on-app'
import { useApp, type Viewer } from '@/components/app/app-context'
import { newChatPath } from '@/components/app/paths'
import { Button, IconButton } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { Hint } from '@/components/ui/hint'
import { Kbd } from '@/components/ui/kbd'
import { type ThemeChoice, useTheme } from '@/components/ui/use-theme'
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
      <div className="flex shrink-0 items-center justify-between gap-2 border-line border-t px-2 py-2">
        <span className="flex min-w-0 items-center gap-2 px-2 text-muted text-sm">
          <CircleUserRound size={16} aria-hidden className="shrink-0" />
          <span className="truncate">{viewerName(app.viewer)}</span>
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
  return (
    <RadioGroup.Root
      aria-label="Theme"
      orientation="horizontal"
      value={choice}
      onValueChange={(value) => choose(value as ThemeChoice)}
      className="flex shrink-0 rounded-md border border-line p-0.5"
    >
      {themeActions.map(({ id, short, Icon }) => (
        <Hint key={id} text={short} side="top">
          <RadioGroup.Item
            value={id}
            aria-label={short}
            className={cn(
              'flex size-6 items-center justify-center rounded text-faint transition-colors touch:size-8',
              'hover:text-ink aria-checked:bg-ink/10 aria-checked:text-ink',
            )}
          >
            <Icon size={14} aria-hidden />
          </RadioGroup.Item>
        </Hint>
      ))}
    </RadioGroup.Root>
  )
}
