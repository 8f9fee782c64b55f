'use client'

import { PanelLeft } from 'lucide-react'
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { type ReactNode, useRef } from 'react'
import { useApp } from '@/components/app/app-context'
import { IconButton } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { useOnChange } from '@/components/ui/use-on-change'
import { settingsPages } from './settings-pages'

/** The settings: their pages in a list beside the open one, and in a row above it where the window is narrow. */
export function SettingsFrame({ children }: { children: ReactNode }) {
  const { sidebar } = useApp()
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <header className="flex h-12 shrink-0 items-center gap-1 border-line border-b px-2">
        <IconButton
          label="Open sidebar"
          Icon={PanelLeft}
          onClick={sidebar.toggle}
          className={cn(sidebar.docked && 'lg:hidden')}
        />
        <p className="px-2 font-medium">Settings</p>
      </header>
      <div className="flex min-h-0 flex-1 flex-col lg:flex-row">
        <SettingsList />
        {children}
      </div>
    </div>
  )
}

function SettingsList() {
  const here = usePathname()
  const current = useRef<HTMLAnchorElement>(null)
  // in the row, the link of the open page may be out of view
  useOnChange([here], () => {
    current.current?.scrollIntoView({ block: 'nearest', inline: 'center' })
  })
  return (
    <nav
      aria-label="Settings"
      className={cn(
        'flex shrink-0 overflow-x-auto border-line border-b px-2',
        'lg:w-52 lg:flex-col lg:gap-0.5 lg:overflow-y-auto lg:border-r lg:border-b-0 lg:px-3 lg:py-4',
      )}
    >
      {settingsPages.map(({ path, label, Icon }) => {
        const isHere = here === path
        return (
          <Link
            key={path}
            href={path}
            ref={isHere ? current : undefined}
            aria-current={isHere ? 'page' : undefined}
            className={cn(
              'flex h-10 shrink-0 items-center gap-2 border-b-2 px-2 transition-colors hover:text-ink touch:h-11',
              'lg:h-8 lg:rounded-md lg:border-b-0 lg:hover:bg-ink/6',
              isHere ? 'border-accent font-medium text-ink lg:bg-ink/6' : 'border-transparent text-muted',
            )}
          >
            <Icon
              size={16}
              aria-hidden
              className={cn('hidden shrink-0 lg:block', isHere ? 'text-accent' : 'text-faint')}
            />
            {label}
          </Link>
        )
      })}
    </nav>
  )
}
