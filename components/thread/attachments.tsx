'use client'

import { Paperclip, RotateCw, X } from 'lucide-react'
import { useRef } from 'react'
import type { AttachedFile } from '@/components/session/messages'
import type { Attachments, Upload } from '@/components/session/use-attachments'
import { IconButton } from '@/components/ui/button'
import type { OfferedModel } from '@/lib/protocol'
import { sizeWords, typeWords } from '@/lib/protocol/file-types'
import { FileFace, type FileFaceProps } from './file-face'
import { refusedType } from './model-words'

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
      {!isEmpty && (
        <ul aria-label="Attached files" className="flex max-h-40 flex-wrap gap-2 overflow-y-auto px-3 pt-3">
          {/* one list: the element of an upload becomes that of the stored file, with the focus that is in it */}
          {[...files.map(asStored(attachments)), ...uploads.map(asUpload(attachments))].map(
            ({ key, ...row }) => (
              <AttachedRow key={key} {...row} />
            ),
          )}
        </ul>
      )}
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

interface AttachedRowProps extends Pick<FileFaceProps, 'filename' | 'mediaType' | 'url' | 'note'> {
  key: string
  failure?: Upload['failure']
  onRemove(): void
  onRetry?(): void
}

const asStored =
  ({ keyOf, remove }: Attachments) =>
  (file: AttachedFile): AttachedRowProps => ({
    ...{ key: keyOf(file), filename: file.filename, mediaType: file.mediaType, url: file.url },
    note: file.size === undefined ? undefined : sizeWords(file.size),
    onRemove: () => remove(file.url),
  })

const asUpload =
  ({ cancel, retry }: Attachments) =>
  (upload: Upload): AttachedRowProps => {
    const { key, file, sent, failure } = upload
    return {
      ...{ key, failure, filename: file.name, mediaType: file.type },
      note: failure ? 'Not uploaded' : `${Math.floor(sent * 100)} % of ${sizeWords(file.size)}`,
      onRemove: () => cancel(key),
      onRetry: () => retry(upload),
    }
  }

function AttachedRow({ failure, onRemove, onRetry, ...face }: Omit<AttachedRowProps, 'key'>) {
  return (
    <li className="min-w-0">
      <FileFace {...face}>
        {failure?.again && (
          <IconButton
            label={`Upload ${face.filename} again`}
            size="tool"
            Icon={RotateCw}
            onClick={() => onRetry?.()}
          />
        )}
        <IconButton label={`Remove ${face.filename}`} size="tool" Icon={X} onClick={onRemove} />
      </FileFace>
      {failure && (
        <p role="alert" className="max-w-prose pt-1 text-danger text-xs">
          {failure.words}
        </p>
      )}
    </li>
  )
}

const isGoing = ({ uploads }: Attachments): boolean => uploads.some(({ failure }) => !failure)

/** What is attached, in words for a screen reader; on the screen too while it is on its way. */
function statusWords({ files, uploads }: Attachments): string {
  const going = uploads.filter(({ failure }) => !failure).length
  if (going > 0)
    return `Uploading ${going === 1 ? 'a file' : `${going} files`}. The message can be sent after that.`
  if (files.length === 0) return ''
  return files.length === 1 ? `${files[0]?.filename} is attached.` : `${files.length} files are attached.`
}
