'use client'

import { ChevronDown, PanelLeft } from 'lucide-react'
import { useRef } from 'react'
import { offers } from '@/components/actions/action'
import { listedChatActions } from '@/components/actions/on-app'
import {
  exportThisChat,
  type OnChat,
  openComparison,
  toggleContext,
  toggleGraph,
  toggleHistory,
} from '@/components/actions/on-chat'
import { checkpointHere } from '@/components/actions/on-message'
import { useApp } from '@/components/app/app-context'
import { BranchPicker } from '@/components/app/branch-picker'
import { TitleField } from '@/components/app/title-field'
import { Button, IconButton } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { Hint } from '@/components/ui/hint'
import { Menu, MenuItem } from '@/components/ui/menu'
import type { BranchId } from '@/lib/events'
import type { BranchLine } from '@/lib/protocol'

/** On a phone the graph has its tab, and the history stands in the menu of the title. */
const onlyWide = [toggleGraph.id, toggleHistory.id]

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
    (id === toggleGraph.id && on.graphShown) ||
    (id === toggleContext.id && on.contextShown) ||
    (id === toggleHistory.id && on.historyShown)
  return (
    <header className="@container shrink-0 border-line border-b">
      <div className="flex h-12 items-center gap-1 px-2 max-sm:gap-0 max-sm:px-1">
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
            // on a phone the names need the room of the arrows
            className="max-w-[30%] shrink-0 max-sm:px-1 max-sm:[&>svg:last-child]:hidden sm:max-w-[38%] @2xl:max-w-72"
          />
        )}
        <div className="ml-auto flex shrink-0 items-center gap-1 max-sm:gap-0">
          {offers([checkpointHere, openComparison, toggleHistory, toggleContext, toggleGraph], on, true).map(
            ({ id, short, hotkey, Icon, refused, run }) => (
              <Hint key={id} text={short} more={hotkey}>
                <Button
                  look="quiet"
                  aria-label={short}
                  disabled={refused}
                  aria-pressed={id === toggleContext.id || id === toggleHistory.id ? isOn(id) : undefined}
                  className={cn('px-2 touch:h-11 touch:min-w-11', onlyWide.includes(id) && 'max-sm:hidden')}
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
  const { renamingId, renameChat, retitle } = useApp()
  const chosen = useRef<(() => void) | null>(null)
  const { chat } = on
  const heading = (
    <h1 dir="auto" className="min-w-0 truncate font-medium">
      {title}
    </h1>
  )
  if (!chat) return <div className="min-w-0 px-2">{heading}</div>
  if (renamingId === chat.id) {
    return (
      <TitleField
        title={title}
        className="max-w-96 font-medium"
        onDone={(next) => {
          renameChat(null)
          if (next !== null) retitle(chat, next)
        }}
      />
    )
  }
  return (
    <>
      <Menu
        trigger={
          <Button
            look="quiet"
            data-chat-title
            className="min-w-0 shrink gap-1 px-2 text-base text-ink max-sm:px-1"
          >
            {heading}
            <ChevronDown size={14} aria-hidden className="text-faint max-sm:hidden" />
          </Button>
        }
        onCloseAutoFocus={() => {
          // once the focus is back: a command may move it
          if (chosen.current) queueMicrotask(chosen.current)
          chosen.current = null
        }}
      >
        {offers([toggleHistory, exportThisChat, ...listedChatActions], on).map(
          ({ id, label, danger, run }) => (
            <MenuItem
              key={id}
              danger={danger}
              onSelect={() => {
                chosen.current = () => run()
              }}
            >
              {label}
            </MenuItem>
          ),
        )}
      </Menu>
      {chat.archivedAt !== null && (
        <span className="shrink-0 rounded-full border border-line px-2 text-muted text-xs">Archived</span>
      )}
    </>
  )
}
