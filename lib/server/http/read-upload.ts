import 'server-only'
import { RequestRefusedError } from './problem'
import { bodyParts } from './read-body'

/** Bytes of a body besides the file's: boundaries, headers and the name. */
const AROUND = 64 * 1024
const MB = 1024 * 1024

/** A file as a form sends it. */
export interface Upload {
  name: string
  bytes: Buffer
}

/**
 * The field `file` of a form (`multipart/form-data`). Refuses another content type (415), too many bytes, also when chunked
 * and before all have arrived (413), and a form without one file (400).
 */
export async function readUpload(request: Request, limitMb: number): Promise<Upload> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^multipart\/form-data\s*(?:;|$)/i.test(type)) {
    const detail = 'Send the file as a form: Content-Type: multipart/form-data, with the field "file".'
    throw new RequestRefusedError(415, 'unsupported_content_type', detail)
  }
  const tooLarge = () =>
    new RequestRefusedError(413, 'too_large', `The file is too large: ${limitMb} MB at most.`)
  const most = limitMb * MB
  if (Number(request.headers.get('content-length') ?? 0) > most + AROUND) throw tooLarge()
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of bodyParts(request)) {
    size += part.byteLength
    if (size > most + AROUND) throw tooLarge()
    parts.push(part)
  }
  const form = await new Response(Buffer.concat(parts), { headers: { 'content-type': type } })
    .formData()
    .catch(() => undefined)
  const files = form?.getAll('file') ?? []
  const [file] = files
  if (files.length !== 1 || !(file instanceof File)) {
    throw new RequestRefusedError(400, 'invalid', 'The form must hold one file, in the field "file".')
  }
  if (file.size > most) throw tooLarge()
  return { name: file.name, bytes: Buffer.from(await file.arrayBuffer()) }
}
