'use client'

import { ChevronDown, Ellipsis, PanelLeft } from 'lucide-react'
import { type Offer, offers } from '@/components/actions/action'
import { OfferMenu } from '@/components/actions/offer-menu'
import { listedChatActions } from '@/components/actions/on-app'
import {
  chatWays,
  exportThisChat,
  type OnChat,
  openComparison,
  printThisBranch,
  redoMove,
  shareThisBranch,
  toggleContext,
  toggleGraph,
  toggleHistory,
  undoMove,
} from '@/components/actions/on-chat'
import { checkpointHere } from '@/components/actions/on-message'
import { showPeople } from '@/components/actions/on-people'
import { showProposals } from '@/components/actions/on-proposals'
import { remoteActions } from '@/components/actions/on-remotes'
import { WordButton } from '@/components/actions/word-button'
import { useApp } from '@/components/app/app-context'
import { BranchPicker } from '@/components/app/branch-picker'
import { deferred } from '@/components/app/deferred'
import { TitleField } from '@/components/app/title-field'
import type { ThreadView } from '@/components/session/use-chat-session'
import { Button, IconButton } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import type { BranchId } from '@/lib/events'
import type { GraphIndex } from '@/lib/graph'
import { branchLines } from '@/lib/graph/branch-lines'
import { branchTitle } from '@/lib/graph/branch-title'
import type { BranchLine } from '@/lib/protocol'

const BranchStanding = deferred(() => import('@/components/remotes/branch-standing'))

type HeadedBranch = Pick<BranchLine, 'id' | 'name' | 'title' | 'lane'>

interface WorkspaceHeaderProps {
  title: string
  on: OnChat
  /** the branch being read; null while nothing is stored */
  branch: HeadedBranch | null
  branches(): BranchLine[]
  onBranch(id: BranchId): void
  /** actions on the branch, besides reading it */
  branchActs(): readonly Offer[]
}

/** The branch that the header names; the tour shows one as it was. */
export function branchShown({
  index,
  branchId: id,
  view,
}: {
  index: GraphIndex
  branchId: BranchId
  view: ThreadView
}): HeadedBranch {
  const lane = (view.head ?? view.rows.at(-1)?.node)?.lane ?? null
  return { id, name: index.branch(id)?.name ?? '', title: branchTitle(index, id), lane }
}

/** The branches that the header offers: the ones in use, and the one that is read. */
export const branchesToPick = (index: GraphIndex, readId: BranchId): BranchLine[] =>
  branchLines(index).filter(({ id, archivedAt }) => archivedAt === null || id === readId)

export function WorkspaceHeader({ title, on, branch, branches, onBranch, branchActs }: WorkspaceHeaderProps) {
  const { sidebar } = useApp()
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
            acts={branchActs}
            note={
              on.chat && on.remotes.length > 0 && <BranchStanding chatId={on.chat.id} branch={branch.name} />
            }
            // on a phone the names need the room of the arrows
            className="max-w-[30%] shrink-0 text-muted max-sm:px-1 max-sm:[&>svg:last-child]:hidden sm:max-w-[38%] @2xl:max-w-72"
          />
        )}
        <div className="ml-auto flex shrink-0 items-center gap-1 max-sm:gap-0">
          {offers([shareThisBranch], on).map((offer) => (
            <WordButton
              key={offer.id}
              offer={offer}
              className="px-2 touch:h-11"
              onClick={({ currentTarget }) => offer.run(currentTarget)}
            />
          ))}
          <OfferMenu
            align="end"
            trigger={<IconButton label="More about this chat" Icon={Ellipsis} className="touch:size-11" />}
            groups={[
              {
                offers: [
                  ...offers([toggleHistory, toggleContext, openComparison], on),
                  ...branchActs(),
                  ...offers([toggleGraph], on),
                ],
              },
              { offers: offers([checkpointHere, undoMove, redoMove, exportThisChat, printThisBranch], on) },
              {
                offers: [
                  ...offers([showPeople], on),
                  ...offers([showProposals], on),
                  ...offers(remoteActions, on),
                ],
              },
              { label: 'More ways', offers: offers(chatWays, on) },
            ]}
          />
        </div>
      </div>
    </header>
  )
}

function Title({ title, on }: Pick<WorkspaceHeaderProps, 'title' | 'on'>) {
  const { renamingId, renameChat, retitle } = useApp()
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
        after={() => document.querySelector<HTMLElement>('[data-chat-title]')}
        onDone={(next) => {
          renameChat(null)
          if (next !== null) retitle(chat, next)
        }}
      />
    )
  }
  return (
    <>
      <OfferMenu
        groups={[{ offers: offers(listedChatActions, on) }]}
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
      />
      {chat.archivedAt !== null && (
        <span className="shrink-0 rounded-full border border-line px-2 text-muted text-xs">Archived</span>
      )}
    </>
  )
}
