'use client'

import { ArrowLeftRight, ArrowUpToLine } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '@/components/ui/button'
import { Dialog, type OpenProps } from '@/components/ui/dialog'
import { Segmented } from '@/components/ui/segmented'
import { TextField } from '@/components/ui/text-field'
import { counted } from '@/lib/events/counted'
import { sizeWords } from '@/lib/protocol'
import { type SpokenTurn, spokenTurns } from '@/lib/protocol/spoken-turns'
import { pastedFile } from './pasted-file'

interface PasteDialogProps extends OpenProps {
  /** the dropped text */
  text: string
  onImport(file: File): void
}

/** Letters of a text that is read while it is written; a longer one is a file. */
const MOST = 2_000_000
/** Messages that are shown. */
const SHOWN = 200

const roles = [
  { value: 'user', label: 'You' },
  { value: 'assistant', label: 'Assistant' },
  { value: 'system', label: 'Instructions' },
] as const

const other = { user: 'assistant', assistant: 'user', system: 'system' } as const

/** One chat out of a text that was copied: its messages are shown, and who said them can be set right. */
export default function PasteDialog({ text: first, open, onOpenChange, onImport }: PasteDialogProps) {
  const [text, setText] = useState(first)
  const [read, setRead] = useState(() => spokenTurns(first))
  const [title, setTitle] = useState(read.title ?? '')
  const isLong = text.length > MOST
  const { turns } = read
  const setTurns = (next: SpokenTurn[]) => setRead({ ...read, turns: next })
  const write = (next: string) => {
    setText(next)
    if (next.length > MOST) return
    const found = spokenTurns(next)
    setRead(found)
    if (found.title !== null) setTitle(found.title)
  }
  const join = (at: number) => {
    const [above, turn] = [turns[at - 1], turns[at]]
    if (above && turn)
      setTurns(turns.toSpliced(at - 1, 2, { ...above, text: `${above.text}\n\n${turn.text}` }))
  }
  const told = isLong
    ? `A text of more than ${sizeWords(MOST)} is imported as a file: save it with the ending .md, and choose it.`
    : turns.length === 0
      ? null
      : !read.isMarked
        ? 'No line says who speaks, so this is one message of yours.'
        : read.hasPreface
          ? 'What stands before the first speaker is kept as the first message.'
          : null
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Paste a conversation"
      description="From a page of ChatGPT, Claude or Gemini, or any text in which lines say who speaks."
      className="w-[min(42rem,calc(100vw-2rem))] max-sm:top-2 max-sm:max-h-[calc(100dvh-1rem)] max-sm:w-[calc(100vw-1rem)]"
    >
      <div className="flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto px-5 pt-3 pb-4">
        <textarea
          aria-label="Conversation"
          value={text}
          onChange={({ target }) => write(target.value)}
          rows={turns.length > 0 ? 4 : 10}
          dir="auto"
          placeholder={'**You:** How far is the moon?\n\n**Assistant:** 384,400 km.'}
          className="min-h-24 shrink-0 resize-y rounded-md border border-line bg-canvas px-3 py-2 outline-none focus:border-accent touch:text-base"
        />
        <p role="status" className="text-muted text-sm empty:hidden">
          {told}
        </p>
        {!isLong && turns.length > 0 && (
          <>
            <TextField
              label="Title"
              value={title}
              onChange={setTitle}
              maxLength={200}
              note="Without one, the first words."
            />
            <div className="flex items-center justify-between gap-3">
              <h3 className="font-medium text-sm">{counted(turns.length, 'message')}</h3>
              {turns.length > 1 && (
                <Button
                  look="quiet"
                  size="sm"
                  onClick={() => setTurns(turns.map((turn) => ({ ...turn, role: other[turn.role] })))}
                >
                  <ArrowLeftRight size={14} aria-hidden />
                  Swap You and Assistant
                </Button>
              )}
            </div>
            <ol aria-label="Messages" className="border-line border-t">
              {turns.slice(0, SHOWN).map((turn, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a message is its place in the text
                <li key={at} className="border-line border-b py-3">
                  <div className="flex items-center gap-2">
                    <Segmented
                      label={`Who says message ${at + 1}`}
                      value={turn.role}
                      options={roles}
                      onChange={(role) => setTurns(turns.with(at, { ...turn, role }))}
                    />
                    {turn.model !== null && turn.role === 'assistant' && (
                      <span className="min-w-0 truncate text-muted text-sm">{turn.model}</span>
                    )}
                    {at > 0 && (
                      <IconButton
                        label="Join to the message above"
                        Icon={ArrowUpToLine}
                        className="ml-auto"
                        onClick={() => join(at)}
                      />
                    )}
                  </div>
                  <p
                    dir="auto"
                    className="mt-2 line-clamp-3 whitespace-pre-wrap text-sm [overflow-wrap:anywhere]"
                  >
                    {turn.text.slice(0, 1000)}
                  </p>
                </li>
              ))}
            </ol>
            {turns.length > SHOWN && (
              <p className="text-faint text-sm">and {counted(turns.length - SHOWN, 'more message')}</p>
            )}
          </>
        )}
      </div>
      <div className="flex shrink-0 justify-end gap-2 border-line border-t px-5 py-4">
        <Button onClick={() => onOpenChange(false)}>Cancel</Button>
        <Button
          look="primary"
          disabled={isLong || turns.length === 0}
          onClick={() => onImport(pastedFile({ title, turns, now: new Date() }))}
        >
          Import {turns.length === 0 ? 'chat' : counted(turns.length, 'message')}
        </Button>
      </div>
    </Dialog>
  )
}
