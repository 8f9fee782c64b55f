'use client'

import { ChevronDown, Flag, GitBranch, GitCompareArrows, PanelLeft, PanelRight } from 'lucide-react'
import type { Route } from 'next'
import { useRouter } from 'next/navigation'
import type { MouseEvent, ReactNode } from 'react'
import { useApp } from '@/components/app/app-context'
import { Button, IconButton } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { Hint } from '@/components/ui/hint'
import { Menu, MenuItem } from '@/components/ui/menu'
import { Select, type SelectOption } from '@/components/ui/select'

interface WorkspaceHeaderProps {
  title: string
  /** absent while nothing of the chat is stored */
  onRename?: () => void
  onDelete?: () => void
  branch: string
  branches: SelectOption[]
  onBranch(id: string): void
  onCheckpoint?: (anchor: Element) => void
  /** where the branch being read is compared with another */
  compareUrl?: Route
  graphShown: boolean
  onToggleGraph(): void
}

export function WorkspaceHeader({
  branch,
  branches,
  onBranch,
  onCheckpoint,
  compareUrl,
  ...props
}: WorkspaceHeaderProps) {
  const { sidebar } = useApp()
  const router = useRouter()
  return (
    <header className="@container shrink-0 border-line border-b">
      <div className="flex h-12 items-center gap-1 px-2">
        <IconButton
          label="Open sidebar"
          onClick={sidebar.toggle}
          className={cn(sidebar.docked && 'lg:hidden')}
        >
          <PanelLeft size={16} aria-hidden />
        </IconButton>
        <Title {...props} />
        {branches.length > 0 && (
          <Select
            label="Branch"
            value={branch}
            options={branches}
            icon={<GitBranch size={14} aria-hidden className="shrink-0 text-faint" />}
            onChange={onBranch}
            className="max-w-[38%] shrink-0 @2xl:max-w-60"
          />
        )}
        <div className="ml-auto flex shrink-0 items-center gap-1">
          <HeaderButton
            label="Checkpoint"
            hint="c"
            disabled={!onCheckpoint}
            onClick={(event) => onCheckpoint?.(event.currentTarget)}
            icon={<Flag size={15} aria-hidden />}
          />
          {compareUrl && (
            <HeaderButton
              label="Compare branches"
              onClick={() => router.push(compareUrl)}
              icon={<GitCompareArrows size={15} aria-hidden />}
            />
          )}
          <HeaderButton
            label={props.graphShown ? 'Hide graph' : 'Show graph'}
            hint="g"
            className="max-sm:hidden"
            onClick={props.onToggleGraph}
            icon={<PanelRight size={15} aria-hidden className={cn(props.graphShown && 'text-accent')} />}
          />
        </div>
      </div>
    </header>
  )
}

function Title({ title, onRename, onDelete }: Pick<WorkspaceHeaderProps, 'title' | 'onRename' | 'onDelete'>) {
  const heading = (
    <h1 dir="auto" className="min-w-0 truncate font-medium">
      {title}
    </h1>
  )
  if (!onRename) return <div className="min-w-0 px-2">{heading}</div>
  return (
    <Menu
      trigger={
        <Button look="quiet" className="min-w-0 shrink gap-1 px-2 text-base text-ink">
          {heading}
          <ChevronDown size={14} aria-hidden className="text-faint" />
        </Button>
      }
    >
      <MenuItem onSelect={onRename}>Rename chat</MenuItem>
      <MenuItem danger onSelect={onDelete}>
        Delete chat
      </MenuItem>
    </Menu>
  )
}

interface HeaderButtonProps {
  label: string
  hint?: string
  icon: ReactNode
  disabled?: boolean
  className?: string
  onClick(event: MouseEvent<HTMLButtonElement>): void
}

/** An icon that shows its name where there is room. */
function HeaderButton({ label, hint, icon, className, ...props }: HeaderButtonProps) {
  return (
    <Hint text={label} more={hint}>
      <Button
        look="quiet"
        aria-label={label}
        className={cn('px-2 touch:h-11 touch:min-w-11', className)}
        {...props}
      >
        {icon}
        <span className="hidden @4xl:inline">{label}</span>
      </Button>
    </Hint>
  )
}
