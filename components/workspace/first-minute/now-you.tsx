'use client'

import { Pencil, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button, IconButton } from '@/components/ui/button'

/** The end of the tour: points at the message above it. */
export default function NowYou({ onEdit, onClose }: { onEdit(): void; onClose(): void }) {
  const note = useRef<HTMLDivElement>(null)
  useEffect(() => {
    note.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div
      ref={note}
      role="note"
      className="arrive relative mt-1 mb-3 ml-[18px] flex scroll-my-24 flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-line-strong bg-raised py-2 pr-2 pl-3 text-sm before:absolute before:-top-[5px] before:left-6 before:size-2 before:rotate-45 before:border-line-strong before:border-t before:border-l before:bg-raised before:content-['']"
    >
      <p className="min-w-0 flex-1 basis-56">
        <strong className="font-medium">Now you: edit this message.</strong> Add “And if it rains?” to it. The
        old one stays.
      </p>
      <span className="flex items-center gap-1">
        <Button size="sm" onClick={onEdit}>
          <Pencil size={14} aria-hidden /> Edit
        </Button>
        <IconButton label="Close" size="tool" Icon={X} onClick={onClose} />
      </span>
    </div>
  )
}
