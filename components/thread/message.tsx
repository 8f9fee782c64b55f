'use client'

import { EyeOff, Flag } from 'lucide-react'
import { memo, type ReactNode, useDeferredValue, useId } from 'react'
import { deferred } from '@/components/app/deferred'
import { useLaneColor } from '@/components/app/lane'
import { useLit } from '@/components/app/pointed-at'
import { blocksOf } from '@/components/session/blocks'
import { useChatTools } from '@/components/session/chat-context'
import { keepEdit, keptEdit, useEditing } from '@/components/session/editing'
import { filesOf, wordsOf } from '@/components/session/messages'
import type { ThreadRow } from '@/components/session/thread-rows'
import { cn } from '@/components/ui/cn'
import { contextWords } from '@/lib/graph'
import { speakerOf } from '@/lib/graph/speaker'
import type { ChatMessage, GraphNode } from '@/lib/protocol'
import { DemoNote } from './demo-note'
import { MessageActions } from './message-actions'
import { MessageParts } from './message-parts'
import { StepsOf } from './parts/step-run'
import { ReplyFacts } from './reply-facts'
import { ReplyStatus } from './reply-status'
import { ToolAnswering } from './tool-answering'
import { VersionPager } from './version-pager'

export const MessageEditor = deferred(() => import('./message-editor'), {
  floats: ({ onCancel }) => ({ open: true, onOpenChange: onCancel }),
})

/** Few messages come from anywhere else. */
const Origin = deferred(() => import('./origin'))

interface MessageProps extends ThreadRow {
  /** the last of the branch: its failure is told at length */
  isHead: boolean
  /** its words wait until they are seen */
  later: boolean
  /** the messages below it that hold nothing but answers to its calls, divided by blanks */
  answeredIn: string
  /** it is nothing but steps, or context that an agent has added: a line, or a few */
  isStep: boolean
  /** the message below it */
  next?: ChatMessage | undefined
}

/** One stored message. Messages never change: it is drawn again only when its place in the graph does. */
export const Message = memo(function Message(props: MessageProps) {
  const { node, message, isHead, isStep, later, next } = props
  const tools = useChatTools()
  const [editing, setEditing] = useEditing(node.id)
  const text = wordsOf(message)
  const versions = tools.versionsOf(node.id)
  const isNewest = isHead && node.role === 'assistant'
  // the page is read before a message is pointed at
  const isUsable = useDeferredValue(true, isNewest)
  const facts = (className: string) =>
    isUsable &&
    node.role === 'assistant' && (
      <ReplyFacts message={message} createdAt={node.createdAt} className={className} />
    )
  return (
    <MessageFrame
      id={node.id}
      author={node.role}
      speaker={speakerIn(message) ?? (node.role === 'user' ? (tools.owner ?? undefined) : undefined)}
      status={node.status}
      lane={node.lane}
      answeredIn={props.answeredIn}
      step={isStep ? stepName(message) : undefined}
      beside={
        <>
          {versions && <VersionPager id={node.id} versions={versions} />}
          {tools.checkpointsAt(node.id).map(({ name }) => (
            <span key={name} className="flex min-w-0 items-center gap-1 text-faint text-xs">
              <Flag size={12} aria-label="Checkpoint" />
              <bdi className="truncate">{name}</bdi>
            </span>
          ))}
          {/* beside the actions there is no room on a phone */}
          {facts('ml-auto pl-2 sm:hidden')}
        </>
      }
      below={
        !editing &&
        isUsable && (
          <div className="flex items-center gap-3">
            <MessageActions
              node={node}
              text={text}
              withoutRetry={isHead && node.status === 'failed'}
              shown={isNewest}
              onEdit={() => setEditing(true)}
            />
            {facts('max-sm:hidden')}
          </div>
        )
      }
    >
      {editing ? (
        <MessageEditor
          text={text}
          kept={keptEdit(node.id)}
          onWrite={(written) => keepEdit(node.id, written)}
          files={filesOf(message)}
          onCancel={() => setEditing(false)}
          onSave={(next) => {
            setEditing(false)
            tools.edit(node, next)
          }}
        />
      ) : (
        <>
          {tools.isLeftOut(node.id) && <LeftOut onPutBack={() => tools.leaveOut(node.id, false)} />}
          <ToolAnswering node={node} message={message} isHead={isHead} next={next}>
            {hasOrigin(message, node) && <Origin fallback={<div className="h-7" />} message={message} />}
            <MessageParts message={asWritten(message)} later={later} />
          </ToolAnswering>
          <ReplyStatus node={node} message={message} isHead={isHead} />
          {isHead && <DemoNote node={node} message={message} />}
        </>
      )}
    </MessageFrame>
  )
})

/** Says that the next replies do not read the message. */
const LeftOut = ({ onPutBack }: { onPutBack(): void }) => (
  <p className="flex flex-wrap items-center gap-x-1.5 text-faint text-xs">
    <EyeOff size={12} aria-hidden />
    Left out: the next replies do not read it.
    <button
      type="button"
      className="font-medium text-accent underline-offset-2 hover:underline touch:py-2"
      onClick={onPutBack}
    >
      Put back
    </button>
  </p>
)

/** Who speaks in an imported message, where that is more than a person and a model. */
const speakerIn = ({ metadata }: ChatMessage): string | undefined =>
  metadata?.hidden === undefined ? metadata?.speaker : 'Hidden where it came from'

/** The first message of a copied shared chat says so. */
const hasOrigin = (
  { metadata: { copiedFrom, merge, compact, sharedFrom, proposed } = {} }: ChatMessage,
  { depth }: GraphNode,
): boolean =>
  copiedFrom !== undefined ||
  merge !== undefined ||
  compact !== undefined ||
  proposed !== undefined ||
  (sharedFrom !== undefined && depth === 0)

/** A brief and a summary are Markdown, also where they are a message of the person. */
const asWritten = (message: ChatMessage): ChatMessage =>
  message.metadata?.merge || message.metadata?.compact ? { ...message, role: 'assistant' } : message

interface FrameProps {
  id: string
  author: string
  /** who speaks, where that is no role */
  speaker?: string | undefined
  status: GraphNode['status']
  lane: number
  answeredIn?: string
  /** its name where it is nothing but steps: without the speaker's name, and with actions while it has the focus */
  step?: ReactNode
  /** beside the speaker's name */
  beside?: ReactNode
  /** the row under the words; keeps its height when there is nothing in it */
  below?: ReactNode
  className?: string
  children: ReactNode
}

/** The name of a message that is nothing but steps, or context that an agent has added. */
const stepName = ({ parts }: ChatMessage): ReactNode =>
  blocksOf({ parts }).some(({ kind }) => kind === 'tool') ? <StepsOf parts={parts} /> : contextWords

/** The shape every message has, stored or on its way. */
export function MessageFrame(props: FrameProps) {
  const {
    id,
    author,
    speaker = speakerOf(author),
    status,
    lane,
    answeredIn,
    step,
    beside,
    below,
    className,
    children,
  } = props
  const nameId = useId()
  const laneColor = useLaneColor()
  const isUser = author === 'user'
  return (
    <>
      {/* beside it, so that its text is not there twice */}
      {step !== undefined && (
        <span id={nameId} hidden>
          {step}
        </span>
      )}
      <article
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a message is one stop of Tab, with keys of its own
        tabIndex={0}
        data-message-id={id}
        data-lit={useLit(id, 'graph') || undefined}
        data-answered-in={answeredIn || undefined}
        data-role={author}
        data-status={status}
        {...(step === undefined ? { 'aria-label': speaker } : { 'aria-labelledby': nameId })}
        aria-busy={status === 'streaming' || undefined}
        className={cn('group/message message', step === undefined && 'pt-2', className)}
      >
        <div
          className={cn('border-l-2 pl-4', !isUser && 'border-transparent')}
          style={isUser ? { borderColor: laneColor(lane) } : undefined}
        >
          {step === undefined && (
            <div data-message-head="" className="message-head">
              <span className="speaker">
                <bdi>{speaker}</bdi>
              </span>
              {beside}
            </div>
          )}
          {children}
        </div>
        <div
          data-message-actions=""
          className={cn(
            'message-foot',
            step !== undefined && 'hidden group-focus-within/message:block group-focus/message:block',
          )}
        >
          {below}
        </div>
      </article>
    </>
  )
}
