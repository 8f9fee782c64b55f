'use client'

import { RotateCw, X } from 'lucide-react'
import type { AttachedFile } from '@/components/session/messages'
import type { Attachments, Upload } from '@/components/session/use-attachments'
import { IconButton } from '@/components/ui/button'
import { sizeWords } from '@/lib/protocol/file-types'
import { FileFace, type FileFaceProps } from './file-face'

/** The files and uploads of the message being written. */
export default function AttachedFiles({ attachments }: { attachments: Attachments }) {
  const { files, uploads } = attachments
  return (
    <ul aria-label="Attached files" className="flex max-h-40 flex-wrap gap-2 overflow-y-auto px-3 pt-3">
      {/* one list: the element of an upload becomes that of the stored file, with the focus that is in it */}
      {[...files.map(asStored(attachments)), ...uploads.map(asUpload(attachments))].map(({ key, ...row }) => (
        <AttachedRow key={key} {...row} />
      ))}
    </ul>
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
    key: keyOf(file),
    filename: file.filename,
    mediaType: file.mediaType,
    url: file.url,
    note: file.size === undefined ? undefined : sizeWords(file.size),
    onRemove: () => remove(file.url),
  })

const asUpload =
  ({ cancel, retry }: Attachments) =>
  (upload: Upload): AttachedRowProps => {
    const { key, file, sent, failure } = upload
    return {
      key,
      failure,
      filename: file.name,
      mediaType: file.type,
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
