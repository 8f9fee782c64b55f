'use client'

import { Plus, X } from 'lucide-react'
import { useId, useRef } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '@/components/ui/button'
import type { MessageId } from '@/lib/events'
import { removeRow } from './focus'
import { type Edit, type Memory, memoryProblem } from './parts'
import { Section } from './section'

interface MemoryListProps {
  memories: readonly Memory[]
  /** with the keys, and the way to add one */
  isWhole: boolean
  onEdit(edit: Edit, words?: string): void
  /** shows the reply that remembered something */
  onOpenMessage(id: MessageId): void
}

/**
 * The model's memories on this branch, each with its key. A memory without text, or with the key of another, is not
 * in force.
 */
export function MemoryList({ memories, isWhole, onEdit, onOpenMessage }: MemoryListProps) {
  const id = useId()
  const list = useRef<HTMLUListElement>(null)
  const set = (next: Memory[], words?: string) => onEdit({ type: 'parts', parts: { memories: next } }, words)
  const change = (at: number, part: Partial<Memory>) =>
    set(memories.map((memory, i) => (i === at ? { ...memory, ...part } : memory)))
  const add = () => {
    flushSync(() => set([...memories, { key: freeKey(memories), text: '', message_id: null }]))
    list.current?.querySelector<HTMLElement>('li:last-child textarea')?.focus()
  }
  return (
    <Section
      title="Memories"
      note={memories.length === 0 ? undefined : String(memories.length)}
      action={
        isWhole && (
          <Button size="sm" onClick={add}>
            <Plus size={14} aria-hidden /> Remember
          </Button>
        )
      }
    >
      {memories.length === 0 && (
        <p className="px-4 pb-2 text-muted text-sm">Facts that stay on this branch, yours or the model’s.</p>
      )}
      <ul ref={list} aria-label="Memories" className="flex flex-col gap-2 px-4 pb-1 empty:hidden">
        {memories.map((memory, at) => {
          const { key, text, message_id } = memory
          const problem = memoryProblem(memories, at)
          const problemId = `${id}-${at}`
          const label = key || 'Memory'
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: its key is being typed
            <li key={at} className="group/row flex flex-col">
              <div className="flex items-center gap-1">
                <input
                  hidden={!isWhole}
                  aria-label={`Key of ${label}`}
                  dir="auto"
                  aria-invalid={(problem !== null && text.trim() !== '') || undefined}
                  aria-describedby={problem === null ? undefined : problemId}
                  value={key}
                  maxLength={100}
                  spellCheck={false}
                  onChange={({ target }) => change(at, { key: target.value })}
                  className="h-7 min-w-0 flex-1 rounded-md border border-transparent bg-transparent px-2 font-mono text-muted text-xs outline-none hover:border-line focus:border-accent aria-invalid:border-danger touch:h-11"
                />
                {!isWhole && <span className="flex-1" />}
                {message_id !== null && (
                  <button
                    type="button"
                    onClick={() => onOpenMessage(message_id)}
                    className="rounded px-1 text-faint text-xs underline underline-offset-2 hover:text-ink touch:h-11"
                  >
                    remembered here
                  </button>
                )}
                <Button
                  look="quiet"
                  size="icon-sm"
                  aria-label={`Forget ${label}`}
                  title={`Forget ${label}`}
                  onClick={(event) =>
                    removeRow(event.currentTarget, () =>
                      set(
                        memories.filter((_, i) => i !== at),
                        `${label} is forgotten.`,
                      ),
                    )
                  }
                >
                  <X size={14} aria-hidden />
                </Button>
              </div>
              <textarea
                aria-label={`Text of ${label}`}
                dir="auto"
                rows={1}
                value={text}
                maxLength={2000}
                aria-describedby={problem === null ? undefined : problemId}
                onChange={({ target }) => change(at, { text: target.value })}
                className="field-sizing-content max-h-40 min-h-8 resize-none rounded-md border border-line bg-raised px-2 py-1.5 text-sm outline-none hover:border-line-strong focus:border-accent touch:text-base"
              />
              {problem !== null && (
                <p id={problemId} className="mt-1 text-danger text-xs">
                  {problem}
                </p>
              )}
            </li>
          )
        })}
      </ul>
    </Section>
  )
}

function freeKey(memories: readonly Memory[]): string {
  const taken = new Set(memories.map(({ key }) => key))
  for (let n = 1; ; n++) {
    const key = `note-${n}`
    if (!taken.has(key)) return key
  }
}
