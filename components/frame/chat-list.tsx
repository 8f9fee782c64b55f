'use client'

import { Ellipsis, GitBranch } from 'lucide-react'
import Link from 'next/link'
import { useSyncExternalStore } from 'react'
import { offers } from '@/components/actions/action'
import { listedChatActions } from '@/components/actions/on-app'
import { useApp } from '@/components/app/app-context'
import { chatPath } from '@/components/app/paths'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { Menu, MenuItem } from '@/components/ui/menu'
import type { ChatSummary } from '@/lib/protocol'
import { groupChats } from './group-chats'

export function ChatList({ pathname, onLeave }: { pathname: string; onLeave?(): void }) {
  const { chats } = useApp()
  const today = useToday()
  if (chats.length === 0)
    return <p className="px-2 py-4 text-muted text-sm">Your chats will be listed here.</p>
  return groupChats(chats, new Date(today)).map((group) => (
    <section key={group.label} className="pt-4 first:pt-2">
      <h2 className="px-2 pb-1 font-medium text-faint text-xs">{group.label}</h2>
      <ul>
        {group.chats.map((chat) => (
          <li key={chat.id}>
            <ChatItem chat={chat} current={pathname === chatPath(chat.id)} onLeave={onLeave} />
          </li>
        ))}
      </ul>
    </section>
  ))
}

/** The day in the browser's time zone; the server's may differ until the page is hydrated. */
function useToday(): number {
  return useSyncExternalStore(never, startOfToday, startOfToday)
}
const never = () => () => undefined
const startOfToday = () => new Date().setHours(0, 0, 0, 0)

function ChatItem({ chat, current, onLeave }: { chat: ChatSummary; current: boolean; onLeave?(): void }) {
  const app = useApp()
  const title = chat.title ?? 'Untitled chat'
  return (
    <div className="group relative">
      <Link
        href={chatPath(chat.id)}
        prefetch={false}
        onClick={(event) => {
          onLeave?.()
          // with a modifier it is a link like any other
          if (current || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
          event.preventDefault()
          app.openChat(chat.id)
        }}
        aria-current={current ? 'page' : undefined}
        className={cn(
          'flex h-8 items-center gap-2 rounded-md pr-8 pl-2 text-muted text-sm transition-colors touch:h-10',
          'hover:bg-ink/5 hover:text-ink aria-[current=page]:bg-ink/7 aria-[current=page]:text-ink',
        )}
      >
        <span dir="auto" className="min-w-0 flex-1 truncate">
          {title}
        </span>
        {chat.branchCount > 1 && (
          <span className="flex items-center gap-0.5 text-muted text-xs group-focus-within:hidden group-hover:hidden">
            <GitBranch size={12} aria-hidden />
            <span className="sr-only">, branches:</span>
            {chat.branchCount}
          </span>
        )}
      </Link>
      <div className="absolute inset-y-0 right-0.5 flex items-center opacity-0 focus-within:opacity-100 group-hover:opacity-100 touch:opacity-100">
        <Menu
          align="end"
          trigger={
            <Button
              look="quiet"
              size="icon-sm"
              aria-label={`More about ${title}`}
              className="data-[state=open]:opacity-100"
            >
              <Ellipsis size={16} aria-hidden />
            </Button>
          }
        >
          {offers(listedChatActions, { ...app, chat }).map(({ id, short, Icon, danger, run }) => (
            <MenuItem key={id} danger={danger} onSelect={() => run()}>
              {Icon && <Icon size={14} aria-hidden />} {short}
            </MenuItem>
          ))}
        </Menu>
      </div>
    </div>
  )
}
