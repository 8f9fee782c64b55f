'use client'

import { ArrowLeftRight, ChevronLeft, PanelLeft } from 'lucide-react'
import Link from 'next/link'
import { useApp } from '@/components/app/app-context'
import { branchPath } from '@/components/app/paths'
import type { Comparison } from '@/lib/protocol'
import { Button, IconButton } from '../ui/button'
import { cn } from '../ui/cn'

interface CompareHeaderProps {
  comparison: Comparison
  /** absent where there is only one side */
  onSwap?: () => void
  busy?: boolean
}

export function CompareHeader({ comparison, onSwap, busy }: CompareHeaderProps) {
  const { sidebar } = useApp()
  const { chatId, title, left } = comparison
  return (
    <header className="flex h-12 shrink-0 items-center gap-1 border-line border-b px-2">
      <IconButton label="Open sidebar" onClick={sidebar.toggle} className={cn(sidebar.docked && 'lg:hidden')}>
        <PanelLeft size={16} aria-hidden />
      </IconButton>
      <Link
        href={branchPath(chatId, left.branch.name)}
        className="flex h-8 min-w-0 items-center gap-1 rounded-md pr-2 pl-1 text-muted touch:h-11 transition-colors hover:bg-ink/6 hover:text-ink"
      >
        <ChevronLeft size={16} aria-label="Back to" className="shrink-0" />
        <span dir="auto" className="truncate">
          {title ?? 'Untitled chat'}
        </span>
      </Link>
      <h1 className="shrink-0 font-medium">Compare</h1>
      {onSwap && (
        <Button look="quiet" className="ml-auto px-2 touch:min-w-11" disabled={busy} onClick={onSwap}>
          <ArrowLeftRight size={15} aria-hidden />
          <span className="max-md:sr-only">Swap sides</span>
        </Button>
      )}
    </header>
  )
}
