'use client'

import { ChevronsUpDown, CircleUserRound, GitFork, PanelLeft } from 'lucide-react'
import Link from 'next/link'
import { useRef } from 'react'
import { offers } from '@/components/actions/action'
import { help, newChat, palette, search, themeActions } from '@/components/actions/on-app'
import { useApp } from '@/components/app/app-context'
import { deferred } from '@/components/app/deferred'
import { accountPath, newChatPath } from '@/components/app/paths'
import { useOnClient } from '@/components/app/use-on-client'
import { ChatList } from '@/components/chats/chat-list'
import { SharedChats } from '@/components/chats/shared-chats'
import { Button, IconButton } from '@/components/ui/button'
import { Kbd, KeyCaps } from '@/components/ui/kbd'
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuSeparator } from '@/components/ui/menu'
import { useStored } from '@/components/ui/stored-value'
import { useTheme } from '@/components/ui/use-theme'

interface SidebarProps {
  pathname: string
  /** called when a link or action in it is used; closes the sheet */
  onLeave?(): void
}

// only a guest's first pages show it
const GuestNote = deferred(async () => ({ default: (await import('./guest-note')).GuestNote }), {
  keepsFallback: 'untold',
})

export function Sidebar({ pathname, onLeave }: SidebarProps) {
  const app = useApp()
  const isOnClient = useOnClient()
  // this browser remembers that it was read
  const [read, setRead] = useStored('ramify-guest-note', 'unread')
  const isTold =
    isOnClient && read === 'unread' && app.viewer?.guest === true && app.chats.length > 0 && !app.access.demo
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
      <ChatList pathname={pathname} onLeave={onLeave} />
      <SharedChats pathname={pathname} onLeave={onLeave} />
      {isTold && <GuestNote onLeave={onLeave} onRead={() => setRead('read')} />}
      <div className="shrink-0 border-line border-t px-2 py-2">
        <AccountMenu onLeave={onLeave} />
      </div>
    </>
  )
}

/** Who is signed in, the way in, out and to the settings, the keys and the theme. A machine of one owner has no sign-in. */
function AccountMenu({ onLeave }: Pick<SidebarProps, 'onLeave'>) {
  const app = useApp()
  const { viewer, access, openAccount, openSettings, signOut } = app
  const theme = useTheme()
  const chosen = useRef<(() => void) | null>(null)
  const isOwner = access.personal === 'on'
  const hasAccount = viewer !== null && !viewer.guest && !isOwner
  const name = isOwner ? 'This computer' : hasAccount ? viewer.name : viewer ? 'Guest' : 'Not signed in'
  const leaving = (action: () => void) => () => {
    onLeave?.()
    action()
  }
  return (
    <Menu
      onCloseAutoFocus={() => {
        // a dialog that opens takes the focus when the button has it again
        if (chosen.current) queueMicrotask(chosen.current)
        chosen.current = null
      }}
      trigger={
        <Button look="quiet" aria-label={`Account: ${name}`} className="w-full min-w-0 justify-start px-2">
          <CircleUserRound size={16} aria-hidden />
          <span className="min-w-0 flex-1 truncate text-start">{name}</span>
          <ChevronsUpDown size={14} aria-hidden className="text-faint" />
        </Button>
      }
    >
      {!hasAccount && !isOwner && (
        <>
          <MenuItem onSelect={leaving(() => openAccount('in'))}>Sign in</MenuItem>
          <MenuItem onSelect={leaving(() => openAccount('up'))}>Sign up</MenuItem>
        </>
      )}
      <MenuItem onSelect={leaving(() => openSettings(accountPath))}>Settings</MenuItem>
      {offers([palette, help], app).map(({ id, label, keys, run }) => (
        <MenuItem
          key={id}
          aria-label={label}
          onSelect={() => {
            chosen.current = leaving(run)
          }}
        >
          <span className="flex-1">{label}</span>
          <span aria-hidden className="flex gap-1 pl-4 touch:hidden">
            <KeyCaps names={keys} />
          </span>
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuLabel>Theme</MenuLabel>
      <MenuChoice
        value={theme.choice}
        options={themeActions.map(({ id, short }) => ({ value: id, label: short }))}
        onChoose={(value) => themeActions.find(({ id }) => id === value)?.run(theme)}
      />
      {hasAccount && (
        <>
          <MenuSeparator />
          <MenuItem onSelect={leaving(signOut)}>Sign out</MenuItem>
        </>
      )}
    </Menu>
  )
}
