'use client'

import { Plus, X } from 'lucide-react'
import { useRef } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '@/components/ui/button'
import type { MessageId } from '@/lib/events'
import { removeRow } from './focus'
import type { Edit, Memory } from './parts'
import { Section } from './section'

interface MemoryListProps {
  memories: readonly Memory[]
  onEdit(edit: Edit, words?: string): void
  /** shows the reply that remembered something */
  onOpenMessage(id: MessageId): void
}

/** What the model remembers on this branch: each with its key. Two with the same key cannot be saved. */
export function MemoryList({ memories, onEdit, onOpenMessage }: MemoryListProps) {
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
        <Button size="sm" className="touch:h-11" onClick={add}>
          <Plus size={14} aria-hidden /> Remember
        </Button>
      }
    >
      {memories.length === 0 && (
        <p className="px-4 pb-2 text-muted text-sm">Facts that stay on this branch, yours or the model’s.</p>
      )}
      <ul ref={list} aria-label="Memories" className="flex flex-col gap-2 px-4 pb-1 empty:hidden">
        {memories.map((memory, at) => {
          const { key, text, message_id } = memory
          const isTaken = memories.some((other, i) => i < at && other.key.trim() === key.trim())
          const label = key || 'Memory'
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: its key is being typed
            <li key={at} className="group/row flex flex-col">
              <div className="flex items-center gap-1">
                <input
                  aria-label={`Key of ${label}`}
                  aria-invalid={isTaken || key.trim() === '' || undefined}
                  value={key}
                  maxLength={100}
                  spellCheck={false}
                  onChange={({ target }) => change(at, { key: target.value })}
                  className="h-7 min-w-0 flex-1 rounded-md border border-transparent bg-transparent px-2 font-mono text-muted text-xs outline-none hover:border-line focus:border-accent aria-invalid:border-danger touch:h-11"
                />
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
                onChange={({ target }) => change(at, { text: target.value })}
                className="field-sizing-content max-h-40 min-h-8 resize-none rounded-md border border-line bg-raised px-2 py-1.5 text-sm outline-none hover:border-line-strong focus:border-accent touch:text-base"
              />
              {isTaken && <p className="mt-1 text-danger text-xs">There is a memory with this key.</p>}
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
