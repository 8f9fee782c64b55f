// Loaded with the first file: most messages have none.
import type { Api } from '@/components/app/api'
import { ProblemError, readProblem } from '@/components/app/problem'
import type { StoredFile } from '@/lib/protocol'

/**
 * Uploads a file. Not by `fetch`, which does not tell how much of a body is on its way.
 *
 * @param options.onProgress called with the share that is sent, 0 to 1
 * @throws ProblemError for a refusal; TypeError when the server is not reached
 */
export async function uploadFile(
  api: Api,
  file: File,
  { onProgress, signal }: { onProgress(share: number): void; signal: AbortSignal },
): Promise<StoredFile> {
  await api.signIn()
  signal.throwIfAborted()
  const form = new FormData()
  form.set('file', file)
  const request = new XMLHttpRequest()
  const response = await new Promise<Response>((resolve, reject) => {
    request.open('POST', '/api/files')
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total)
    request.onload = () => resolve(new Response(request.responseText, { status: request.status }))
    request.onerror = () => reject(new TypeError('The server was not reached'))
    request.onabort = () => reject(signal.reason)
    signal.addEventListener('abort', () => request.abort())
    request.send(form)
  })
  if (!response.ok) throw new ProblemError(await readProblem(response))
  return (await response.json()) as StoredFile
}
