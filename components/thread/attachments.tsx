'use client'

import { Paperclip } from 'lucide-react'
import { useRef } from 'react'
import { deferred } from '@/components/app/deferred'
import type { Attachments } from '@/components/session/use-attachments'
import { IconButton } from '@/components/ui/button'
import type { OfferedModel } from '@/lib/protocol'
import { typeWords } from '@/lib/protocol/file-types'
import { refusedType } from './model-words'

// most messages have none
const AttachedFiles = deferred(() => import('./attached-files'))

/** Opens the browser's choice of files. */
export function AttachButton({ onFiles }: { onFiles(files: File[]): void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <IconButton label="Attach files" Icon={Paperclip} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to attach"
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])])
          // the same file can be chosen again
          target.value = ''
        }}
      />
    </>
  )
}

/** Why a message with these files cannot be sent; null when it can. A file on its way is no reason to complain. */
export function attachmentComplaint(
  { files, uploads }: Attachments,
  model: OfferedModel | undefined,
): string | null {
  const failed = uploads.filter(({ failure }) => failure)
  if (failed.length > 0) {
    const [what, it] = failed.length === 1 ? ['A file was', 'it'] : [`${failed.length} files were`, 'them']
    const again = failed.some(({ failure }) => failure?.again) ? 'Try again, or remove' : 'Remove'
    return `${what} not uploaded. ${again} ${it} to send the message.`
  }
  const types = files.map(({ mediaType }) => mediaType)
  const refused = model && refusedType(model, types)
  if (refused !== undefined) {
    const { filename } = files[types.indexOf(refused)] ?? {}
    return `${model?.label} does not take ${typeWords(refused)}: choose another model, or remove ${filename}.`
  }
  return null
}

/** The files of the message being written, above its words. */
export function AttachmentList({ attachments }: { attachments: Attachments }) {
  const { files, uploads, complaint } = attachments
  const isEmpty = files.length + uploads.length === 0
  return (
    <>
      {!isEmpty && <AttachedFiles attachments={attachments} fallback={<div className="h-13 touch:h-15" />} />}
      {complaint && (
        <p role="alert" className="px-4 pt-2 text-danger text-sm">
          {complaint}
        </p>
      )}
      <p role="status" className={isGoing(attachments) ? 'px-4 pt-2 text-muted text-xs' : 'sr-only'}>
        {statusWords(attachments)}
      </p>
    </>
  )
}

const isGoing = ({ uploads }: Attachments): boolean => uploads.some(({ failure }) => !failure)

/** The attachments in words for a screen reader; on the screen too while they are on their way. */
function statusWords({ files, uploads }: Attachments): string {
  const going = uploads.filter(({ failure }) => !failure).length
  if (going > 0)
    return `Uploading ${going === 1 ? 'a file' : `${going} files`}. The message can be sent after that.`
  if (files.length === 0) return ''
  return files.length === 1 ? `${files[0]?.filename} is attached.` : `${files.length} files are attached.`
}
