'use client'

import { ChevronRight, X } from 'lucide-react'
import {
  type KeyboardEvent,
  type ReactNode,
  useDeferredValue,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { useApp } from '@/components/app/app-context'
import { LoadFailed } from '@/components/app/notice'
import { modelName } from '@/components/thread/facts'
import { Button, IconButton } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { Skeleton } from '@/components/ui/skeleton'
import { useStored } from '@/components/ui/stored-value'
import { useOnChange } from '@/components/ui/use-on-change'
import type { BranchId, ChatId, MessageId } from '@/lib/events'
import { ConflictView } from './conflict-view'
import { FragmentList } from './fragment-list'
import { InstructionsBox } from './instructions-box'
import { MemoryList } from './memory-list'
import { partsOf } from './parts'
import { PresetsView } from './presets-view'
import { PromptPreview } from './prompt-preview'
import { SettingFields } from './setting-fields'
import { StatusBar } from './status-bar'
import { ToolSection } from './tool-section'
import { type Beginning, useHeld } from './use-held'

/** Time that it says that a change is in force, in ms. */
const STAY = 8000

interface ContextPanelProps {
  chatId: ChatId
  branch: { id: BranchId; title: string }
  /** the position of the chat's log */
  seq: number
  /** the model that the next message goes to */
  model: string
  /** the beginning of a chat that is not stored yet */
  beginning: Beginning | null
  onOpenMessage(id: MessageId): void
  onClose(): void
}

/** Panel that shows and changes the context of a branch's next reply. Give it the branch as key. */
export default function ContextPanel({
  chatId,
  branch,
  seq,
  model,
  beginning,
  onOpenMessage,
  onClose,
}: ContextPanelProps) {
  const { held, parts, loading, saving, problem, edit, ...changes } = useHeld({
    chatId,
    branchId: branch.id,
    seq,
    beginning,
  })
  const { models } = useApp()
  const [comparing, setComparing] = useState(false)
  const [choosing, setChoosing] = useState(false)
  const [advanced, setAdvanced] = useStored('ramify-context-advanced', 'closed')
  const [preview, setPreview] = useStored('ramify-context-preview', 'closed')
  // the prompt follows a key later where it is long
  const previewed = useDeferredValue(parts)
  const { base, draft, theirs, saved } = held
  const { seen } = changes
  useOnChange([saved, base?.context_id], () => {
    if (!saved) return
    const timer = setTimeout(seen, STAY)
    return () => clearTimeout(timer)
  })
  const onKeyDown = (event: KeyboardEvent) => {
    const isSave = (event.ctrlKey || event.metaKey) && (event.key === 's' || event.key === 'Enter')
    if (!isSave) return
    event.preventDefault()
    changes.left()
  }
  const isAdvanced = advanced === 'open'
  const memories = parts && (
    <MemoryList memories={parts.memories} isWhole={isAdvanced} onEdit={edit} onOpenMessage={onOpenMessage} />
  )
  return (
    <Frame
      branch={branch}
      model={model}
      onClose={onClose}
      onKeyDown={onKeyDown}
      onLeave={changes.left}
      action={
        parts && (
          <Button look="quiet" size="sm" onClick={() => setChoosing(!choosing)}>
            {choosing ? 'Back' : 'Use a preset'}
          </Button>
        )
      }
    >
      {comparing && base && draft && theirs ? (
        <ConflictView
          base={partsOf(base)}
          yours={draft}
          theirs={partsOf(theirs)}
          saving={saving}
          onSave={(chosen) => {
            setComparing(false)
            changes.resolve(chosen)
          }}
          onTakeTheirs={() => {
            setComparing(false)
            changes.discard()
          }}
          onBack={() => setComparing(false)}
        />
      ) : parts && choosing ? (
        <PresetsView parts={parts} onEdit={edit} onDone={() => setChoosing(false)} />
      ) : parts ? (
        <>
          <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
            <InstructionsBox fragments={parts.fragments} onEdit={edit} />
            {!isAdvanced && parts.memories.length > 0 && memories}
            <ToolSection
              choices={parts.tools}
              lowered={base?.tools_lowered === true}
              callsTools={models.find(({ id }) => id === model)?.tools ?? null}
              onEdit={edit}
            />
            <Advanced open={isAdvanced} onOpen={(open) => setAdvanced(open ? 'open' : 'closed')}>
              <FragmentList fragments={parts.fragments} onEdit={edit} />
              {memories}
              <SettingFields values={parts.settings} onEdit={edit} />
            </Advanced>
          </div>
          {isAdvanced && previewed && (
            <PromptPreview
              parts={previewed}
              open={preview === 'open'}
              onOpen={(open) => setPreview(open ? 'open' : 'closed')}
              onEdit={edit}
            />
          )}
        </>
      ) : loading.problem ? (
        <div className="p-4">
          <LoadFailed problem={loading.problem} onAgain={loading.again} />
        </div>
      ) : (
        <div role="status" aria-label="Loading the instructions" className="flex flex-col gap-3 p-4">
          <Skeleton className="h-32" />
          <Skeleton className="h-8" />
        </div>
      )}
      {!(comparing && theirs) && (
        <StatusBar
          held={held}
          saving={saving}
          problem={problem}
          onUndo={changes.undo}
          onAgain={changes.again}
          onDiscard={changes.discard}
          onCompare={() => setComparing(true)}
        />
      )}
    </Frame>
  )
}

interface AdvancedProps {
  open: boolean
  onOpen(open: boolean): void
  children: ReactNode
}

/** The settings that few people need: closed until it is asked for, and then open until it is closed. */
function Advanced({ open, onOpen, children }: AdvancedProps) {
  const contentId = useId()
  return (
    <>
      <h3 className="px-2 py-2">
        <button
          type="button"
          aria-expanded={open}
          aria-controls={open ? contentId : undefined}
          onClick={() => onOpen(!open)}
          className="flex h-9 w-full items-center gap-1.5 rounded-md px-2 text-muted text-sm hover:bg-ink/6 hover:text-ink touch:h-11"
        >
          <ChevronRight
            size={14}
            aria-hidden
            className={cn('shrink-0 transition-transform motion-reduce:transition-none', open && 'rotate-90')}
          />
          <span className="font-medium">Advanced</span>
          {!open && (
            <span className="min-w-0 truncate text-faint text-xs">parts, temperature, format, preview</span>
          )}
        </button>
      </h3>
      {open && (
        <div id={contentId} className="border-line border-t">
          {children}
        </div>
      )}
    </>
  )
}

interface FrameProps extends Pick<ContextPanelProps, 'branch' | 'model' | 'onClose'> {
  onKeyDown(event: KeyboardEvent): void
  /** a field was left */
  onLeave(): void
  action?: ReactNode
  children: ReactNode
}

/** The panel with its head. It takes the focus when it opens; Escape closes it. */
function Frame({ branch, model, onClose, onKeyDown, onLeave, action, children }: FrameProps) {
  const { models } = useApp()
  const frame = useRef<HTMLElement>(null)
  useEffect(() => frame.current?.focus({ preventScroll: true }), [])
  return (
    <section
      ref={frame}
      aria-label="Instructions"
      tabIndex={-1}
      onBlur={onLeave}
      onKeyDown={(event) => {
        onKeyDown(event)
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        onClose()
      }}
      className="flex h-full min-h-0 flex-1 flex-col bg-canvas outline-none"
    >
      <header className="flex h-12 shrink-0 items-center gap-3 border-line border-b pr-2 pl-4">
        <h2 className="font-medium">Instructions</h2>
        <p className="min-w-0 flex-1 truncate text-faint text-xs">
          <bdi>{branch.title}</bdi> · {modelName(models, model)}
        </p>
        {action}
        <IconButton label="Close instructions" Icon={X} size="tool" onClick={onClose} />
      </header>
      {children}
    </section>
  )
}
