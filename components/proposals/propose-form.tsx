'use client'

import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { TextField } from '@/components/ui/text-field'
import { WordsField } from './words-field'

interface ProposeFormProps {
  /** the branch's name on the screen */
  branch: string
  busy: boolean
  onPropose(proposal: { title: string; words: string }): void
  onCancel(): void
}

/** Title and words with which a branch is proposed. */
export function ProposeForm({ branch, busy, onPropose, onCancel }: ProposeFormProps) {
  const [title, setTitle] = useState(branch)
  const [words, setWords] = useState('')
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (title.trim() !== '' && !busy) onPropose({ title: title.trim(), words })
      }}
    >
      <p className="text-muted text-sm">
        The owner of the original sees your name and what this branch has and the original lacks. What the
        model thought, memories and instructions stay here.
      </p>
      <TextField label="Title" value={title} onChange={setTitle} maxLength={200} takesFocus="all" />
      <WordsField label="What it is about, if you like" value={words} onChange={setWords} />
      <div className="flex items-center justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" look="primary" disabled={busy || title.trim() === ''}>
          Propose to the original
        </Button>
      </div>
    </form>
  )
}
