'use client'

import type { NodeProps } from '@xyflow/react'
import { Archive, ChevronDown, ChevronRight, GitMerge, Hand, Repeat, Signpost } from 'lucide-react'
import { memo } from 'react'
import { useLaneStyle } from '@/components/app/lane'
import { plainPreview } from '@/components/app/plain-preview'
import { useInView, useLit } from '@/components/app/pointed-at'
import { StepWords } from '@/components/app/step-words'
import { cn } from '@/components/ui/cn'
import { isContext, isStep, type OutlineRow as Row } from '@/lib/graph'
import type { GraphNode } from '@/lib/protocol'
import { ContextMark, HeldMarks, OriginMark, StatusMark } from '../cards/status-mark'
import { BranchFace, branchChip, FlagFace, flagChip, flagCount } from '../labels/label-face'
import { heldWords, messageCount, previewOf } from '../model/words'
import { Gutter } from './gutter'
import { LiveWords } from './live-words'
import { foldAbout, laneX, type RowFlowNode, type RowLook, startWords } from './row-model'

/** One row of the outline: a message, a branch, or a fold. The canvas around it handles its events. */
export const OutlineRow = memo(function OutlineRow({ data }: NodeProps<RowFlowNode>) {
  const { row, head, selected, marked, tab, name, description, buttonName, draggable } = data
  const laneStyle = useLaneStyle()
  const pointedAt = useLit(row.id)
  const inView = useInView(row.id)
  const isBranch = row.kind === 'branch'
  const opens = row.kind === 'message' ? undefined : row.kind === 'fold' ? false : row.isOpen
  return (
    <div
      role="treeitem"
      data-item={row.id}
      data-graph-node={row.kind === 'message' ? row.id : undefined}
      data-branch={isBranch ? row.branch?.id : undefined}
      data-lit={pointedAt || undefined}
      data-in-view={inView || undefined}
      // the name of a branch's row is the title in it
      aria-label={isBranch ? undefined : name}
      aria-description={description}
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-expanded={isBranch && row.opens.length === 0 && !row.isOpen ? undefined : opens}
      aria-selected={selected || marked}
      aria-current={head ? 'true' : undefined}
      tabIndex={tab ? 0 : -1}
      // not by touch: a long press opens the row's menu
      draggable={draggable}
      style={laneStyle(row.lane)}
      className="group/row pointer-events-auto relative flex h-full cursor-pointer items-center focus-visible:-outline-offset-2"
    >
      <RowFace look={data} chips="room" />
      {isBranch ? null : (
        <button
          type="button"
          tabIndex={-1}
          aria-label={buttonName}
          className="absolute inset-0 focus-visible:outline-none"
        />
      )}
    </div>
  )
})

interface RowFaceProps {
  look: RowLook
  /** the names at the end of the row: drawn, or room for names that lie above it */
  chips: 'drawn' | 'room'
}

/** The ground of a row. */
function groundOf({ head, selected, marked, found }: RowLook): string | false {
  if (marked || (head && (selected || !found))) return 'bg-accent-soft'
  return selected ? 'bg-ink/8' : found && 'bg-warn-soft'
}

/** The ground of a row that is pointed at. */
function pointedGroundOf({ head, found }: RowLook): string {
  if (found) return 'group-hover/row:bg-warn-soft'
  return head ? 'group-hover/row:bg-accent-soft' : 'group-hover/row:bg-ink/5'
}

/** The looks of a row. */
export function RowFace({ look, chips }: RowFaceProps) {
  const { row, height, head, selected, marked, found } = look
  return (
    <>
      {/* a picture is not pointed at */}
      {(chips === 'room' || head || found || selected || marked) && (
        <span
          aria-hidden
          className={cn(
            'absolute inset-x-1 inset-y-px rounded-md',
            groundOf(look),
            pointedGroundOf(look),
            selected && 'ring-1 ring-(--lane) ring-inset',
            marked && 'border border-(--lane) border-dashed',
            'group-data-drop/row:bg-accent-soft group-data-drop/row:ring-2 group-data-drop/row:ring-accent',
          )}
        />
      )}
      {row.rails.above !== null && beginsHere(look) && (
        <span aria-hidden className="absolute top-0 right-3 left-1 border-line-strong border-t" />
      )}
      {/* the title of a branch is the name of its row; the name of any other row says what it shows */}
      <span aria-hidden={(chips === 'room' && row.kind !== 'branch') || undefined} className="outline-face">
        <Gutter row={row} height={height} head={head} />
        <RowWords look={look} />
        <RowChips look={look} isRoom={chips === 'room'} />
      </span>
    </>
  )
}

function RowWords({ look }: { look: RowLook }) {
  const { row, lit, contextChanged, asks } = look
  switch (row.kind) {
    case 'message':
      return (
        <>
          <Begins words={look.begins} />
          <MessageWords
            node={row.item.node}
            lit={lit}
            contextChanged={contextChanged}
            asks={asks}
            origin={look.origin}
          />
          <Day day={look.day} />
        </>
      )
    case 'branch':
      return <BranchWords row={row} look={look} />
    case 'fold':
      return (
        <>
          <Begins words={look.begins} />
          <span className="outline-words text-muted">
            <bdi>
              <StepWords line={look.title} />
            </bdi>
          </span>
          <span className="flex shrink-0 items-center gap-1 text-faint text-xs tabular-nums">
            {foldAbout(row.item.nodes, look.day)}
            <ChevronRight size={12} />
          </span>
        </>
      )
    case 'more':
      return (
        <span className="flex min-w-0 flex-1 items-center gap-1 text-faint text-xs tabular-nums">
          <span className="truncate">
            <StepWords line={look.title} />
          </span>
          {row.isOpen ? <ChevronDown size={12} /> : <ChevronRight size={12} />}
        </span>
      )
  }
}

const Day = ({ day }: { day: string | null }) =>
  day === null ? null : <span className="block shrink-0 text-faint text-xs">{day}</span>

/** The messages of a branch begin at a row, in a line that was another's. */
const beginsHere = ({ row, begins }: RowLook): boolean =>
  begins !== null || (row.kind === 'branch' && row.goesOn && startWords(row) === 'begins')

/** Names the branch that begins here, before the row's words: its end is the line above. */
const Begins = ({ words }: { words: string | null }) =>
  words === null ? null : (
    <span
      data-begins={words}
      className="block max-w-[52%] shrink-0 truncate font-medium text-muted text-xs after:[unicode-bidi:plaintext] after:content-[attr(data-begins)]"
    />
  )

interface MessageWordsProps extends Pick<RowLook, 'lit' | 'contextChanged' | 'asks' | 'origin'> {
  node: GraphNode
}

function MessageWords({ node, lit, contextChanged, asks, origin }: MessageWordsProps) {
  const words = previewOf(node)
  const look = node.role === 'user' ? 'font-medium text-ink' : lit ? 'text-muted' : 'text-faint'
  return (
    <>
      <span className={cn('outline-words', isContext(node) ? 'text-faint' : look)}>
        {node.status === 'streaming' ? (
          <LiveWords id={node.id} fallback={words} />
        ) : (
          <bdi>{isStep(node) ? <StepWords line={words} /> : words || '…'}</bdi>
        )}
      </span>
      {node.mergeParentId === undefined ? (
        <OriginMark node={node} words={origin} />
      ) : (
        <Merged words={origin} />
      )}
      <HeldMarks node={node} asks={asks} />
      {contextChanged && <ContextMark />}
      <StatusMark status={node.status} />
    </>
  )
}

/** Names the branch whose messages were taken. */
/** Tells where a message was merged from. The description of its row says it too: it is no part of the name. */
const Merged = ({ words }: { words: string | null }) =>
  words === null ? null : (
    <span aria-hidden className="flex h-5 min-w-0 max-w-[45%] shrink-0 items-center gap-1 text-muted text-xs">
      <GitMerge size={12} className="shrink-0" />
      <span
        data-origin={words}
        className="truncate after:[unicode-bidi:plaintext] after:content-[attr(data-origin)]"
      />
    </span>
  )

/** A branch in one row: its whole title first, then how many messages it has, then its last words where there is room. */
function BranchWords({ row, look }: { row: Extract<Row, { kind: 'branch' }>; look: RowLook }) {
  const { branch, count, first, last, isOpen, opens } = row
  const start = startWords(row)
  const isArchived = branch !== null && branch.archivedAt !== null
  const status = branch?.failure && last?.status === 'done' ? 'failed' : (last?.status ?? 'done')
  const words = plainPreview((last?.preview || first?.preview) ?? '')
  return (
    <>
      {hasArrow(row) && (
        <ChevronRight
          size={12}
          aria-hidden
          className={cn(
            '-mr-1 -ml-1 shrink-0 text-faint transition-transform',
            isOpen && 'rotate-90',
            // the path being read stays open
            opens.length === 0 && 'invisible',
          )}
        />
      )}
      {/* facts without room beside the title wrap to a second line, which is out of sight */}
      <span className="flex h-5 min-w-0 flex-1 flex-wrap content-start items-center gap-x-2 overflow-hidden">
        <span className={titlePlace}>
          <BranchTitle look={look} />
        </span>
        {look.replay && (
          <span aria-hidden className="flex h-5 shrink-0 items-center gap-1 text-accent text-xs tabular-nums">
            <Repeat size={11} /> {look.replay}
          </span>
        )}
        {look.steering && (
          <span aria-hidden className="flex h-5 shrink-0 items-center gap-1 text-accent text-xs">
            <Signpost size={11} /> {look.steering}
          </span>
        )}
        {start && (
          <span aria-hidden className="shrink-0 text-muted text-xs leading-5">
            {start}
          </span>
        )}
        {branch && count > 0 && (
          <span aria-hidden className="shrink-0 text-faint text-xs tabular-nums leading-5">
            {messageCount(count)}
          </span>
        )}
        <Merged words={look.origin} />
        {!isOpen && (
          <span aria-hidden className="min-w-16 flex-1 basis-16 truncate text-faint">
            <bdi>{words}</bdi>
          </span>
        )}
      </span>
      {look.asks && (
        <span aria-hidden className="flex shrink-0 items-center gap-1 text-warn text-xs">
          <Hand size={12} /> {heldWords.question}
        </span>
      )}
      <StatusMark status={status} />
      {isArchived && (
        <span aria-hidden className="flex shrink-0 items-center gap-1 text-faint text-xs">
          <Archive size={12} /> Archived
        </span>
      )}
    </>
  )
}

const hasArrow = (row: Row): boolean => row.kind === 'branch' && (row.isOpen || row.opens.length > 0)

/** The place of a branch's title, the same for the title and for the button above it: forty letters are whole. */
export const titlePlace = 'flex min-w-0 max-w-[min(100%,44ch)] shrink-0 items-center text-sm'
/** Left edge of a branch's title, in pixels. */
export const titleX = (row: Row): number => laneX(row.column) + 20 + (hasArrow(row) ? 12 : 0)

function BranchTitle({ look: { row, title, hereId } }: { look: RowLook }) {
  const branch = row.kind === 'branch' ? row.branch : null
  const isFaint = branch === null || branch.archivedAt !== null
  const isHere = branch?.id === hereId
  return (
    <bdi
      data-branch-title
      className={cn(
        'truncate',
        !isFaint && 'font-medium',
        isHere ? 'text-accent' : isFaint ? 'text-faint' : 'text-ink',
      )}
    >
      {title}
    </bdi>
  )
}

/** The place of a row's names, the same for the names and for the room they take. */
export const chipsPlace =
  '[--chip:100%] [--chip-lines:1] flex max-w-[52%] shrink-0 items-center justify-end gap-1 [&_*]:text-xs'

/** Names of branches and checkpoints as pictures: the buttons lie above them. */
function RowChips({ look, isRoom }: { look: RowLook; isRoom: boolean }) {
  const { heads, hereId, checkpoints } = look
  if (heads.length + checkpoints.length === 0) return null
  const { named, counted } = rowFlags(look)
  return (
    <span aria-hidden className={cn(chipsPlace, isRoom && 'invisible')}>
      {named.map(({ name }) => (
        <span key={name} className={flagChip}>
          <FlagFace name={name} />
        </span>
      ))}
      {counted.length > 0 && <span className={flagCount}>+{counted.length}</span>}
      {heads.map(({ branch, title, mark }) => {
        const isHere = branch.id === hereId
        return (
          <span key={branch.id} className={branchChip(branch, isHere, false)}>
            <BranchFace title={title} mark={mark} isHere={isHere} />
          </span>
        )
      })}
    </span>
  )
}

/**
 * The checkpoints of a row whose names are shown, and the checkpoints that are only counted: more of them where the
 * branch being read ends.
 */
export function rowFlags({ heads, checkpoints, hereId }: Pick<RowLook, 'heads' | 'checkpoints' | 'hereId'>) {
  const isHere = heads.some(({ branch }) => branch.id === hereId)
  const named = checkpoints.length <= 2 || !isHere ? 2 : 1
  return { named: checkpoints.slice(0, named), counted: checkpoints.slice(named) }
}
