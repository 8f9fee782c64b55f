import { FileText } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AttachedFile } from '@/components/session/messages'

export interface FileFaceProps extends Pick<AttachedFile, 'filename' | 'mediaType'> {
  /** address of its bytes, once they are stored: an image is shown */
  url?: string
  /** beside the name: its size, or how far it is */
  note?: ReactNode
  /** buttons at its end */
  children?: ReactNode
}

/** A file as a chip: its picture or a sign, its name, and what can be done with it. */
export function FileFace({ filename, mediaType, url, note, children }: FileFaceProps) {
  return (
    <span className="inline-flex h-10 max-w-60 min-w-0 items-center gap-2 rounded-lg border border-line bg-canvas pr-1 pl-1.5 text-sm touch:h-12">
      {url && mediaType.startsWith('image/') ? (
        // biome-ignore lint/performance/noImgElement: next/image takes no files behind a session
        <img src={url} alt="" className="size-7 shrink-0 rounded-md object-cover" />
      ) : (
        <span className="grid size-7 shrink-0 place-items-center rounded-md bg-ink/6">
          <FileText size={14} aria-hidden className="text-muted" />
        </span>
      )}
      <span className="flex min-w-0 flex-col leading-tight">
        <bdi className="truncate">{filename}</bdi>
        {note && <span className="truncate text-faint text-xs">{note}</span>}
      </span>
      {children ?? <span className="w-1" />}
    </span>
  )
}
