import { useCallback, useEffect, useRef, useState } from 'react'
import { getJson } from '@/components/app/api'
import { useApp } from '@/components/app/app-context'
import { withoutCode } from '@/components/app/new-version'
import { ProblemError, problemOf, readProblem, unreached } from '@/components/app/problem'
import type { ImportChoice, ImportList, ImportPreview, ImportReport } from '@/lib/protocol'
import { previewForm } from '@/lib/protocol/import-part'
import { type LookedAt, lookedAt } from './preview-choice'

/** A file on its way to the server. */
export interface SentFile {
  name: string
  size: number
  sent: number
}

/** A file, and the chats of it that are meant. */
export interface ChosenFile {
  file: File
  choice?: ImportChoice | undefined
}

const isOpen = ({ status }: ImportReport) => status === 'queued' || status === 'running'

/** Imports of a person that wait or go on, at most: the server takes no more. */
const AT_ONCE = 5
/** Pause between two looks at imports that go on, in ms. */
const LOOK = 1000

/** A person's imports: files that are sent, and the server's progress with the files that wait. */
export function useImports(first: readonly ImportReport[], onImported: () => void) {
  const { api } = useApp()
  const [imports, setImports] = useState(first)
  const [sending, setSending] = useState<SentFile | null>(null)
  /** the file that is looked at before it is sent */
  const [looking, setLooking] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  /** ends the work on files */
  const stopped = useRef<AbortController | null>(null)
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

  useEffect(() => () => stopped.current?.abort(), [])

  /** Works on files one after another. A refused file does not keep the others back. */
  const withEach = async <One>(
    ones: () => Promise<readonly One[]>,
    work: (one: One, signal: AbortSignal) => Promise<void>,
  ) => {
    const stop = new AbortController()
    stopped.current = stop
    const { signal } = stop
    const note = (error: unknown) => {
      if (signal.aborted) return
      const { detail } = problemOf(error, unreached)
      setProblem((before) => (before === null ? detail : `${before} ${detail}`))
    }
    try {
      await api.signIn()
      for (const one of await ones()) {
        if (signal.aborted) break
        await work(one, signal).catch(note)
      }
    } catch (error) {
      note(error)
    } finally {
      setSending(null)
      setLooking(null)
    }
    return !signal.aborted
  }

  /** Looks at files before they are sent: nothing is stored. Files of which several make one chat go together. */
  const preview = async (chosen: readonly File[]): Promise<LookedAt[]> => {
    const found: LookedAt[] = []
    setProblem(null)
    const isWhole = await withEach(
      () => asImports(chosen),
      async (file, signal) => {
        setLooking(file.name)
        const ask = async (from?: number): Promise<ImportPreview> => {
          const body = await previewForm(file, file.name, from)
          return (await api.fetch('/api/import/preview', { method: 'POST', body, signal })).json()
        }
        const first = await ask()
        found.push(lookedAt(file, first.next === undefined ? first : await ask(first.next)))
      },
    )
    return isWhole ? found : []
  }

  /** Sends files, each as an import of its own. Refusals from looking at them stay said. */
  const send = (chosen: readonly ChosenFile[]) =>
    withEach(
      async () => chosen,
      async ({ file, choice }, signal) => {
        const { name, size } = file
        setSending({ name, size, sent: 0 })
        await roomFor(signal)
        await upload({ file, choice }, signal, (sent) => setSending({ name, size, sent }))
        await look(signal)
      },
    )
  const roomFor = async (signal: AbortSignal) => {
    while ((await look(signal)).filter(isOpen).length >= AT_ONCE)
      await new Promise((resolve) => setTimeout(resolve, LOOK))
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

  const stop = () => stopped.current?.abort()
  return { imports, looking, sending, problem, preview, send, look, cancel, stop }
}

/**
 * Packs files for sending: lines of JSON as one zip, since chats of SillyTavern and their branches are files that name
 * each other; anything else as it is.
 */
async function asImports(files: readonly File[]): Promise<File[]> {
  const isLines = ({ name }: File) => /\.jsonl$/i.test(name)
  const lines = files.filter(isLines)
  if (lines.length < 2) return [...files]
  const { downloadZip } = await import('client-zip').catch(withoutCode)
  const zip = await downloadZip(lines.map((input) => ({ input, name: input.name }))).blob()
  const together = new File([zip], `${lines.length} files.zip`, { type: 'application/zip' })
  return [together, ...files.filter((file) => !isLines(file))]
}

/** `fetch` does not say how much of a body has left. */
function upload(
  { file, choice }: ChosenFile,
  signal: AbortSignal,
  onSent: (bytes: number) => void,
): Promise<void> {
  const form = new FormData()
  for (const [name, ids] of Object.entries(choice ?? {})) form.set(name, ids.join())
  form.set('file', file)
  const request = new XMLHttpRequest()
  signal.addEventListener('abort', () => request.abort())
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
    request.onabort = () => reject(signal.reason)
    request.open('POST', '/api/import')
    request.send(form)
  })
}
