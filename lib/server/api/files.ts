import 'server-only'
import { readFile as readBytes, stat } from 'node:fs/promises'
import { z } from 'zod'
import { UnauthenticatedError } from '@/lib/auth'
import { storeFile } from '@/lib/conversations'
import { type StoredFile, storedFile } from '@/lib/protocol/files'
import type { FileInfo, Files } from '@/lib/store'
import { disposition } from '../http/download'
import { LONG_BODY, workLines } from '../http/heavy-work'
import { Turnstile } from '../http/pace'
import { receiveFile } from '../http/receive-file'
import { defineOperation } from './operation'

/** Uploads of one person that are received at the same time, on disk. */
const uploads = new Turnstile(2)

const MB = 1024 * 1024

const example: StoredFile = {
  id: '019d3c1e-9d08-7cc0-9d34-7a1e5b2f8c10',
  sha256: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
  media_type: 'image/png',
  name: 'map.png',
  size: 48_213,
}

export const uploadFile = defineOperation({
  id: 'uploadFile',
  method: 'post',
  path: '/api/files',
  tag: 'Files',
  takes: 'file',
  summary: 'Upload file',
  description:
    'Stores a file to send with a message, as its part `{"type": "file", "mediaType", "filename", "url": "/api/files/{id}"}`. The same content again is the same file. Images (PNG, JPEG, GIF, WebP, HEIC, AVIF), PDFs, documents of Word, Excel, PowerPoint and OpenDocument, RTF, EPUB, sound (WAV, MP3), zips and text files in any encoding are taken; the content decides, and the name says only which kind of text it is. HEIC and AVIF are stored as JPEG. A file that is locked, cut off or too large to read is refused (`encrypted_file`, `damaged_file`, `file_too_large`). A file that no message holds is deleted after a day, every other one with the last chat that holds it.',
  output: { status: 201, description: 'The file.', schema: storedFile, example },
  async use({ request, viewer, ownerId, ports, services }) {
    const most = services.env.RAMIFY_FILE_LIMIT_MB * MB
    const stored = await uploads.pass(ownerId, () =>
      receiveFile(request, most, async ({ name, path }) => {
        const { size } = await stat(path)
        const store = async () => storeFile(ports, { ownerId, name, bytes: await readBytes(path) })
        return size > LONG_BODY ? workLines().heavy.run(ownerId, store, request.signal) : store()
      }),
    )
    // the account was deleted meanwhile
    if (!stored) throw new UnauthenticatedError(viewer.credential.kind)
    return stored
  },
})

export const readFile = defineOperation({
  id: 'readFile',
  method: 'get',
  path: '/api/files/{id}',
  tag: 'Files',
  names: 'File',
  summary: 'Read file',
  description:
    'The bytes of one of your files. Only images are for a page to show; a browser saves everything else.',
  input: { params: z.object({ id: z.string().meta({ description: 'The file' }) }) },
  isPicture: true,
  output: { description: 'The bytes, with the type of the file.', type: 'application/octet-stream' },
  others: [{ status: 304, description: 'You have them: `If-None-Match` has their `ETag`.' }],
  async use({ request, ownerId, params, services: { files } }) {
    return fileResponse(request, await files.findReadable(ownerId, params.id), files)
  },
})

/** The bytes of a file; without them when the client has them. */
export function fileResponse(request: Request, file: FileInfo, files: Files): Response {
  const headers = headersOf(file)
  if (request.headers.get('if-none-match') === headers.etag) {
    return new Response(null, { status: 304, headers: { etag: headers.etag } })
  }
  return new Response(bodyOf(files.pieces(file)), {
    headers: { ...headers, 'content-length': String(file.size) },
  })
}

/** A body that reads the next piece when the client has taken the last one. */
function bodyOf(pieces: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const reading = pieces[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reading.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: async () => void (await reading.return?.()),
  })
}

/**
 * The headers of a file. A person's file must never act as a page of ours: it is of the type that its content has, runs
 * nothing, and opens in the browser only when it is an image. Another person in the same browser asks for it anew.
 */
function headersOf({ mediaType, name, sha256 }: FileInfo) {
  const shown = mediaType.startsWith('image/') ? 'inline' : 'attachment'
  return {
    // text is in the encoding that it was uploaded in
    'content-type': mediaType,
    'content-disposition': disposition(shown, name),
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'private, no-cache',
    etag: `"${sha256}"`,
  }
}
