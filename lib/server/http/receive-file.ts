import 'server-only'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as WebStream } from 'node:stream/web'
import busboy from 'busboy'
import { sizeWords } from '@/lib/protocol'
import { RequestRefusedError } from './problem'

/** Bytes of a field besides the file, and of the body besides the file's. */
const FIELD = 80 * 1024
const AROUND = 3 * FIELD

/**
 * Has the field `file` of a form (`multipart/form-data`) on disk while `use` runs, with the fields beside it: a file of any size takes a constant amount
 * of memory. Refuses another content type (415), too many bytes (413), and a form without one file or cut off (400).
 */
export async function receiveFile<Result>(
  request: Request,
  most: number,
  use: (file: { name: string; path: string; fields: Readonly<Record<string, string>> }) => Promise<Result>,
): Promise<Result> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^multipart\/form-data\s*(?:;|$)/i.test(type)) {
    const detail = 'Send the file as a form: Content-Type: multipart/form-data, with the field "file".'
    throw new RequestRefusedError(415, 'unsupported_content_type', detail)
  }
  if (Number(request.headers.get('content-length') ?? 0) > most + AROUND) throw tooLarge(most)
  const folder = await mkdtemp(path.join(tmpdir(), 'ramify-upload-'))
  try {
    const file = path.join(folder, 'file')
    return await use({ path: file, ...(await receive(request, { type, most, file })) })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const tooLarge = (most: number) =>
  new RequestRefusedError(413, 'too_large', `The file is too large: ${sizeWords(most)} at most.`)

const noFile = () =>
  new RequestRefusedError(400, 'invalid', 'The form must hold one file, in the field "file".')

async function receive(
  request: Request,
  { type, most, file }: { type: string; most: number; file: string },
): Promise<{ name: string; fields: Record<string, string> }> {
  let name: string | undefined
  const fields: Record<string, string> = {}
  let writing: Promise<void> | undefined
  const parser = parserOf(type, most)
  parser.on('file', (field, stream, info) => {
    if (field !== 'file' || writing) {
      stream.on('error', () => undefined)
      stream.resume()
      parser.destroy(noFile())
      return
    }
    // browsers write these three so, and nothing else
    name = (info.filename ?? '').replace(/%(?:22|0D|0A)/gi, decodeURIComponent)
    stream.on('limit', () => parser.destroy(tooLarge(most)))
    writing = pipeline(stream, createWriteStream(file))
    // its rejection is that of the form
    writing.catch(() => undefined)
  })
  parser.on('field', (field, value, { valueTruncated }) => {
    if (valueTruncated) parser.destroy(longField(field))
    else fields[field] = value
  })
  let size = 0
  const bounded = new Transform({
    transform(chunk: Buffer, _, done) {
      size += chunk.length
      done(size > most + AROUND ? tooLarge(most) : null, chunk)
    },
  })
  try {
    const body = Readable.fromWeb((request.body ?? new ReadableStream()) as WebStream<Uint8Array>)
    await pipeline(body, bounded, parser)
    await writing
  } catch (error) {
    await writing?.catch(() => undefined)
    if (error instanceof RequestRefusedError) throw error
    throw brokenForm()
  }
  if (name === undefined) throw noFile()
  return { name, fields }
}

const longField = (field: string) =>
  new RequestRefusedError(
    413,
    'too_large',
    `The field “${field.slice(0, 100)}” is too large: ${sizeWords(FIELD)} at most.`,
  )

/** A parser for the boundary that a content type names; it may name none that can part anything. */
function parserOf(type: string, most: number): busboy.Busboy {
  try {
    return busboy({
      headers: { 'content-type': type },
      defParamCharset: 'utf8',
      limits: { files: 2, fields: 10, fieldSize: FIELD, fileSize: most + 1 },
    })
  } catch {
    throw brokenForm()
  }
}

const brokenForm = () =>
  new RequestRefusedError(400, 'invalid', 'The form is broken or was cut off: send the file again.')
