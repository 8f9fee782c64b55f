'use client'

import { PanelLeft } from 'lucide-react'
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { useApp } from '@/components/app/app-context'
import { modelSettingsPath, toolSettingsPath, usagePath } from '@/components/app/paths'
import { IconButton } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'

const pages = [
  { path: modelSettingsPath, label: 'Models' },
  { path: toolSettingsPath, label: 'Tools' },
  { path: usagePath, label: 'Usage' },
] as const

/** The title of a settings page, and the way to the others. */
export function SettingsHeader({ title }: { title: string }) {
  const { sidebar } = useApp()
  const here = usePathname()
  return (
    <header className="flex h-12 shrink-0 items-center gap-1 border-line border-b px-2">
      <IconButton
        label="Open sidebar"
        Icon={PanelLeft}
        onClick={sidebar.toggle}
        className={cn(sidebar.docked && 'lg:hidden')}
      />
      <h1 className="sr-only">{title}</h1>
      <nav aria-label="Settings" className="flex h-full min-w-0 items-stretch overflow-x-auto">
        {pages.map(({ path, label }) => (
          <Link
            key={path}
            href={path}
            aria-current={here === path ? 'page' : undefined}
            className={cn(
              'flex items-center border-transparent border-b-2 px-2 text-muted transition-colors hover:text-ink',
              here === path && 'border-accent font-medium text-ink',
            )}
          >
            {label}
          </Link>
        ))}
      </nav>
    </header>
  )
}
