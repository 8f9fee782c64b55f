'use client'

import type { ReactNode } from 'react'
import { contentId } from '@/components/app/paths'
import { cn } from '@/components/ui/cn'

interface SettingsPageProps {
  title: string
  /** the name of the part that scrolls, where it differs from the title */
  label?: string
  /** its width, and how its sections stand */
  className?: string
  children: ReactNode
}

/** One page of the settings: its title, and its sections in a column that scrolls. */
export function SettingsPage({
  title,
  label = title,
  className = 'max-w-[720px]',
  children,
}: SettingsPageProps) {
  return (
    <section
      id={contentId}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll what has the focus
      tabIndex={0}
      className="min-h-0 min-w-0 flex-1 overflow-y-auto -outline-offset-2"
    >
      <div className={cn('mx-auto px-4 pt-6 pb-16 sm:px-6', className)}>
        <h1 className="sr-only">{title}</h1>
        {children}
      </div>
    </section>
  )
}

interface SettingsSectionProps {
  title: string
  note?: ReactNode
  children?: ReactNode
}

/** A part of a page of the settings, under a heading and a sentence. */
export function SettingsSection({ title, note, children }: SettingsSectionProps) {
  return (
    <section className="mt-10 first-of-type:mt-0">
      <h2 className="font-medium text-lg">{title}</h2>
      {note && <p className="mt-1 text-muted">{note}</p>}
      {children}
    </section>
  )
}
