'use client'

import { X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useDeferredValue, useEffect, useRef, useState } from 'react'
import { useApp } from '@/components/app/app-context'
import { LoadFailed } from '@/components/app/notice'
import { modelName } from '@/components/thread/facts'
import { Button, IconButton } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { useStored } from '@/components/ui/stored-value'
import { useMediaQuery } from '@/components/ui/use-media-query'
import type { BranchId, ChatId, MessageId } from '@/lib/events'
import { ConflictView } from './conflict-view'
import { FragmentList } from './fragment-list'
import { MemoryList } from './memory-list'
import { type Edit, partsOf, unfitness } from './parts'
import { PresetsView } from './presets-view'
import { PromptPreview } from './prompt-preview'
import { SaveBar } from './save-bar'
import { SettingFields } from './setting-fields'
import { ToolSection } from './tool-section'
import { useHeld } from './use-held'

/** How long it says that a change is in force, in ms. */
const STAY = 8000

interface ContextPanelProps {
  chatId: ChatId
  branch: { id: BranchId; title: string }
  /** the position of the chat's log */
  seq: number
  /** the model that the next message goes to */
  model: string
  onOpenMessage(id: MessageId): void
  /** stores a chat that is not stored yet; null for one that is */
  onBegin: (() => Promise<void>) | null
  onClose(): void
}

/** What the next reply of a branch is asked with, besides the messages: read and changed. Give it the branch as key. */
export default function ContextPanel({ onBegin, ...props }: ContextPanelProps) {
  return onBegin ? <BeforeChat {...props} onBegin={onBegin} /> : <BranchContext {...props} />
}

function BranchContext(props: Omit<ContextPanelProps, 'onBegin'>) {
  const { chatId, branch, seq, model, onOpenMessage, onClose } = props
  const { held, dispatch, parts, loading, saving, problem, save, saveOver } = useHeld({
    ...{ chatId, branchId: branch.id, seq },
  })
  const { models } = useApp()
  const [comparing, setComparing] = useState(false)
  const [choosing, setChoosing] = useState(false)
  const [preview, setPreview] = useStored('ramify-context-preview', '')
  const phone = useMediaQuery('(max-width: 639px)')
  // the prompt follows a key later where it is long
  const previewed = useDeferredValue(parts)
  const { base, draft, theirs, saved } = held
  useEffect(() => {
    if (!saved) return
    const timer = setTimeout(() => dispatch({ type: 'seen' }), STAY)
    return () => clearTimeout(timer)
  }, [saved, dispatch])
  const edit = (change: Edit, words?: string) => dispatch({ type: 'edit', edit: change, words })
  const unfit = parts && unfitness(parts)
  const trySave = async () => {
    if (!draft || unfit !== null) return
    if (theirs || (await save())) setComparing(true)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const isSave = (event.ctrlKey || event.metaKey) && (event.key === 's' || event.key === 'Enter')
    if (isSave) {
      event.preventDefault()
      void trySave()
    }
  }
  return (
    <Frame
      {...{ branch, model, onClose, onKeyDown }}
      action={
        parts && (
          <Button look="quiet" size="sm" className="touch:h-11" onClick={() => setChoosing(!choosing)}>
            {choosing ? 'Back to the context' : 'Presets'}
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
          onSave={(chosen) => void saveOver(chosen).then((again) => setComparing(again))}
          onTakeTheirs={() => {
            setComparing(false)
            dispatch({ type: 'discard' })
          }}
          onBack={() => setComparing(false)}
        />
      ) : parts && choosing ? (
        <PresetsView parts={parts} onEdit={edit} onDone={() => setChoosing(false)} />
      ) : parts ? (
        <>
          <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
            <FragmentList fragments={parts.fragments} onEdit={edit} />
            <MemoryList memories={parts.memories} onEdit={edit} onOpenMessage={onOpenMessage} />
            <ToolSection
              choices={parts.tools}
              lowered={base?.tools_lowered === true}
              callsTools={models.find(({ id }) => id === model)?.tools ?? null}
              onEdit={edit}
            />
            <SettingFields values={parts.settings} onEdit={edit} />
          </div>
          {previewed && (
            <PromptPreview
              parts={previewed}
              // a phone has room for one of the two
              open={preview === '' ? !phone : preview === 'open'}
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
        <div role="status" aria-label="Loading the context" className="flex flex-col gap-3 p-4">
          <Skeleton className="h-8" />
          <Skeleton className="h-16" />
          <Skeleton className="h-12" />
        </div>
      )}
      {!(comparing && theirs) && (
        <SaveBar
          {...{ held, saving, problem, unfit }}
          onSave={() => void trySave()}
          onDiscard={() => dispatch({ type: 'discard' })}
          onUndo={() => dispatch({ type: 'undo' })}
          onCompare={() => setComparing(true)}
        />
      )}
    </Frame>
  )
}

interface FrameProps extends Pick<ContextPanelProps, 'branch' | 'model' | 'onClose'> {
  onKeyDown?(event: KeyboardEvent): void
  action?: ReactNode
  children: ReactNode
}

/** The panel with its head. It takes the focus when it opens; Escape closes it. */
function Frame({ branch, model, onClose, onKeyDown, action, children }: FrameProps) {
  const { models } = useApp()
  const frame = useRef<HTMLElement>(null)
  useEffect(() => frame.current?.focus({ preventScroll: true }), [])
  return (
    <section
      ref={frame}
      aria-label="Instructions"
      tabIndex={-1}
      onKeyDown={(event) => {
        onKeyDown?.(event)
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

/** The panel of a chat without a message: its context needs a chat to belong to. */
function BeforeChat({
  onBegin,
  ...frame
}: Omit<ContextPanelProps, 'onBegin'> & { onBegin(): Promise<void> }) {
  const [busy, setBusy] = useState(false)
  return (
    <Frame {...frame}>
      <div className="flex flex-col items-start gap-3 p-4 text-muted text-sm">
        <p>
          A new chat has no instructions of yours: the model is told to be helpful and to answer in Markdown.
        </p>
        <Button
          disabled={busy}
          onClick={() => {
            setBusy(true)
            void onBegin().finally(() => setBusy(false))
          }}
        >
          Write instructions first
        </Button>
      </div>
    </Frame>
  )
}
