import { useCallback, useEffect, useRef, useState } from 'react'
import { getJson } from '@/components/app/api'
import { useApp } from '@/components/app/app-context'
import { ProblemError, problemOf, readProblem, unreached } from '@/components/app/problem'
import type { ImportList, ImportReport } from '@/lib/protocol'

/** A file on its way to the server. */
export interface SentFile {
  name: string
  size: number
  sent: number
}

const isOpen = ({ status }: ImportReport) => status === 'queued' || status === 'running'

/** Pause between two looks at imports that go on, in ms. */
const LOOK = 1000

/** A person's imports: a file is sent, and how far the server has come with those that wait. */
export function useImports(first: readonly ImportReport[], onImported: () => void) {
  const { api } = useApp()
  const [imports, setImports] = useState(first)
  const [sending, setSending] = useState<SentFile | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const request = useRef<XMLHttpRequest | null>(null)
  const goesOn = imports.some(isOpen)

  const look = useCallback(
    async (signal?: AbortSignal) => {
      const { imports: now } = await getJson<ImportList>(api, '/api/import', signal)
      setImports(now)
      return now
    },
    [api],
  )

  useEffect(() => {
    if (!goesOn) return
    const leaving = new AbortController()
    let timer: ReturnType<typeof setTimeout>
    const again = () => {
      timer = setTimeout(async () => {
        try {
          const now = await look(leaving.signal)
          if (!now.some(isOpen)) onImported()
        } catch (error) {
          if (leaving.signal.aborted) return
          setProblem(problemOf(error, unreached).detail)
        }
        again()
      }, LOOK)
    }
    again()
    return () => {
      leaving.abort()
      clearTimeout(timer)
    }
  }, [goesOn, look, onImported])

  useEffect(() => () => request.current?.abort(), [])

  const send = async (file: File) => {
    setProblem(null)
    setSending({ name: file.name, size: file.size, sent: 0 })
    try {
      await api.signIn()
      await upload(file, request, (sent) => setSending({ name: file.name, size: file.size, sent }))
      await look()
    } catch (error) {
      if (!(error instanceof UploadCancelled)) setProblem(problemOf(error, unreached).detail)
    } finally {
      setSending(null)
    }
  }

  const cancel = async (id: string) => {
    setProblem(null)
    try {
      await api.fetch(`/api/import/${encodeURIComponent(id)}`, { method: 'DELETE' })
      await look()
      onImported()
    } catch (error) {
      setProblem(problemOf(error, unreached).detail)
    }
  }

  return { imports, sending, problem, send, cancel, stopSending: () => request.current?.abort() }
}

/** A person has broken an upload off. */
class UploadCancelled extends Error {}

/** `fetch` does not say how much of a body has left. */
function upload(
  file: File,
  holder: { current: XMLHttpRequest | null },
  onSent: (bytes: number) => void,
): Promise<void> {
  const form = new FormData()
  form.set('file', file)
  const request = new XMLHttpRequest()
  holder.current = request
  return new Promise((resolve, reject) => {
    request.upload.onprogress = ({ loaded }) => onSent(Math.min(loaded, file.size))
    request.onload = async () => {
      if (request.status < 300) return resolve()
      const type = request.getResponseHeader('content-type') ?? ''
      const answer = new Response(request.responseText, {
        status: request.status,
        headers: { 'content-type': type },
      })
      reject(new ProblemError(await readProblem(answer)))
    }
    request.onerror = () => reject(new TypeError('The server could not be reached'))
    request.onabort = () => reject(new UploadCancelled())
    request.open('POST', '/api/import')
    request.send(form)
  })
}
