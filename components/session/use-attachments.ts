'use client'

import { useEffect, useRef, useState } from 'react'
import type { Api } from '@/components/app/api'
import { withoutCode } from '@/components/app/new-version'
import { problemOf, unreached } from '@/components/app/problem'
import { type BranchId, newId } from '@/lib/events'
import { fileUrl, MAX_FILES } from '@/lib/protocol/file-types'
import type { AttachedFile } from './messages'
import type { DraftsOfChat } from './use-drafts'

/** A file on its way to the server. */
export interface Upload {
  key: string
  /** the branch whose draft gets it */
  branchId: BranchId
  file: File
  /** the share that is sent, 0 to 1 */
  sent: number
  /** why it was not stored; `again`: another attempt may succeed */
  failure?: { words: string; again: boolean }
}

/** Files attached to the draft of a branch, and their uploads. */
export interface Attachments {
  files: readonly AttachedFile[]
  uploads: readonly Upload[]
  /**
   * the key of a file in the list: the same from its first byte on, so that its button keeps the focus once it is
   * stored
   */
  keyOf(file: AttachedFile): string
  /** why the last files were not all taken */
  complaint: string | null
  add(files: readonly File[]): void
  /** takes a stored file off the draft */
  remove(url: string): void
  /** gives an upload up */
  cancel(key: string): void
  retry(upload: Upload): void
}

/** The files of the draft being written. They are uploaded one after the other; a stored one is part of the draft. */
export function useAttachments(api: Api, branchId: BranchId, drafts: DraftsOfChat): Attachments {
  const [all, setAll] = useState<readonly Upload[]>([])
  const [complaint, setComplaint] = useState<{ branchId: BranchId; words: string } | null>(null)
  const line = useRef<Promise<unknown>>(Promise.resolve())
  const [keys, setKeys] = useState<ReadonlyMap<string, string>>(new Map())
  const stops = useRef(new Map<string, AbortController>())
  // the draft of a new chat moves when the chat is stored
  const latest = useRef(drafts)
  const uploads = all.filter((upload) => upload.branchId === branchId)

  useEffect(() => {
    latest.current = drafts
  }, [drafts])

  useEffect(() => {
    const open = stops.current
    return () => {
      for (const stop of open.values()) stop.abort()
    }
  }, [])

  const change = (key: string, changed: Partial<Upload>) =>
    setAll((now) => now.map((upload) => (upload.key === key ? { ...upload, ...changed } : upload)))
  const drop = (key: string) => setAll((now) => now.filter((upload) => upload.key !== key))

  const start = ({ key, file, branchId: to }: Upload) => {
    const stop = new AbortController()
    stops.current.set(key, stop)
    const send = async () => {
      if (stop.signal.aborted) return
      try {
        const { uploadFile } = await import('./upload-file').catch(withoutCode)
        const onProgress = (sent: number) => change(key, { sent })
        const stored = await uploadFile(api, file, { onProgress, signal: stop.signal })
        const attached = {
          url: fileUrl(stored.id),
          // a picture that was converted has another name
          filename: stored.name,
          mediaType: stored.media_type,
          size: stored.size,
        }
        setKeys((now) => new Map(now).set(attached.url, key))
        latest.current.setFiles(
          (now) => (now.some(({ url }) => url === attached.url) ? now : [...now, attached]),
          to,
        )
        drop(key)
      } catch (error) {
        if (stop.signal.aborted) return
        const { detail, status } = problemOf(error, unreached)
        change(key, { failure: { words: detail, again: status === 0 || status === 429 || status >= 500 } })
      }
    }
    line.current = line.current.then(send)
  }

  return {
    files: drafts.files,
    uploads,
    keyOf: ({ url }) => keys.get(url) ?? url,
    complaint: complaint?.branchId === branchId ? complaint.words : null,
    add(files) {
      const room = MAX_FILES - drafts.files.length - uploads.length
      const words = `A message can hold ${MAX_FILES} files at most.`
      setComplaint(files.length > room ? { branchId, words } : null)
      const added = files
        .slice(0, Math.max(0, room))
        .map((file) => ({ key: newId(), branchId, file, sent: 0 }))
      setAll((now) => [...now, ...added])
      for (const upload of added) start(upload)
    },
    remove(url) {
      setComplaint(null)
      drafts.setFiles((now) => now.filter((file) => file.url !== url))
    },
    cancel(key) {
      setComplaint(null)
      stops.current.get(key)?.abort()
      drop(key)
    },
    retry(upload) {
      const again = { key: upload.key, branchId: upload.branchId, file: upload.file, sent: 0 }
      setAll((now) => now.map((one) => (one.key === upload.key ? again : one)))
      start(again)
    },
  }
}
