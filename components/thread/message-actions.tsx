'use client'

import { Flag, GitBranch, Pencil, RotateCcw } from 'lucide-react'
import { useChatTools } from '@/components/session/chat-context'
import { IconButton } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import type { GraphNode } from '@/lib/protocol'
import { CopyButton } from './copy-button'

interface MessageActionsProps {
  node: GraphNode
  text: string
  /** "Try again" stands below the message, in words */
  withoutRetry: boolean
  onEdit(): void
}

const size = { size: 'icon-sm', className: 'touch:size-11' } as const

export function MessageActions({ node, text, withoutRetry, onEdit }: MessageActionsProps) {
  const tools = useChatTools()
  return (
    <div
      className={cn(
        '-ml-2 flex h-8 items-center opacity-0 transition-opacity touch:h-11 touch:opacity-100',
        'group-focus-within/message:opacity-100 group-hover/message:opacity-100 group-focus/message:opacity-100',
      )}
    >
      <CopyButton label="Copy" text={text} className={size.className} />
      {node.role === 'user' && (
        <IconButton label="Edit" hint="on a new branch" {...size} disabled={tools.busy} onClick={onEdit}>
          <Pencil size={14} aria-hidden />
        </IconButton>
      )}
      {node.role === 'assistant' && !withoutRetry && (
        <IconButton
          label="Try again"
          hint="on a new branch"
          {...size}
          disabled={tools.busy}
          onClick={() => tools.retry(node)}
        >
          <RotateCcw size={14} aria-hidden />
        </IconButton>
      )}
      <IconButton label="Branch from here" hint="b" {...size} onClick={() => tools.branchFrom(node.id)}>
        <GitBranch size={14} aria-hidden />
      </IconButton>
      <IconButton
        label="Checkpoint here"
        hint="c"
        {...size}
        onClick={(event) => tools.checkpoint(node.id, event.currentTarget)}
      >
        <Flag size={14} aria-hidden />
      </IconButton>
    </div>
  )
}
