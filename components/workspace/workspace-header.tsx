'use client'

import { ChevronDown, PanelLeft } from 'lucide-react'
import { offers } from '@/components/actions/action'
import { listedChatActions } from '@/components/actions/on-app'
import { type OnChat, openComparison, toggleContext, toggleGraph } from '@/components/actions/on-chat'
import { checkpointHere } from '@/components/actions/on-message'
import { useApp } from '@/components/app/app-context'
import { BranchPicker } from '@/components/app/branch-picker'
import { Button, IconButton } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { Hint } from '@/components/ui/hint'
import { Menu, MenuItem } from '@/components/ui/menu'
import type { BranchId } from '@/lib/events'
import type { BranchLine } from '@/lib/protocol'

interface WorkspaceHeaderProps {
  title: string
  on: OnChat
  /** the branch being read; null while nothing is stored */
  branch: Pick<BranchLine, 'id' | 'name' | 'title' | 'lane'> | null
  branches(): BranchLine[]
  onBranch(id: BranchId): void
}

export function WorkspaceHeader({ title, on, branch, branches, onBranch }: WorkspaceHeaderProps) {
  const { sidebar } = useApp()
  const isOn = (id: string) =>
    (id === toggleGraph.id && on.graphShown) || (id === toggleContext.id && on.contextShown)
  return (
    <header className="@container shrink-0 border-line border-b">
      <div className="flex h-12 items-center gap-1 px-2">
        <IconButton
          label="Open sidebar"
          Icon={PanelLeft}
          onClick={sidebar.toggle}
          className={cn(sidebar.docked && 'lg:hidden')}
        />
        <Title title={title} on={on} />
        {branch && (
          <BranchPicker
            label="Branch"
            branch={branch}
            lines={branches}
            onChange={onBranch}
            className="max-w-[38%] shrink-0 @2xl:max-w-72"
          />
        )}
        <div className="ml-auto flex shrink-0 items-center gap-1">
          {offers([checkpointHere, openComparison, toggleContext, toggleGraph], on, true).map(
            ({ id, short, hotkey, Icon, refused, run }) => (
              <Hint key={id} text={short} more={hotkey}>
                <Button
                  look="quiet"
                  aria-label={short}
                  disabled={refused}
                  aria-pressed={id === toggleContext.id ? on.contextShown : undefined}
                  className={cn('px-2 touch:h-11 touch:min-w-11', id === toggleGraph.id && 'max-sm:hidden')}
                  onClick={(event) => run(event.currentTarget)}
                >
                  {Icon && <Icon size={15} aria-hidden className={cn(isOn(id) && 'text-accent')} />}
                  <span className="hidden @4xl:inline">{short}</span>
                </Button>
              </Hint>
            ),
          )}
        </div>
      </div>
    </header>
  )
}

function Title({ title, on }: Pick<WorkspaceHeaderProps, 'title' | 'on'>) {
  const heading = (
    <h1 dir="auto" className="min-w-0 truncate font-medium">
      {title}
    </h1>
  )
  if (!on.chat) return <div className="min-w-0 px-2">{heading}</div>
  return (
    <Menu
      trigger={
        <Button look="quiet" className="min-w-0 shrink gap-1 px-2 text-base text-ink">
          {heading}
          <ChevronDown size={14} aria-hidden className="text-faint" />
        </Button>
      }
    >
      {offers(listedChatActions, on).map(({ id, label, danger, run }) => (
        <MenuItem key={id} danger={danger} onSelect={() => run()}>
          {label}
        </MenuItem>
      ))}
    </Menu>
  )
}
