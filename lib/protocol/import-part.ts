/** Bytes of a file that are sent for a preview, and of its end, where a zip has its directory. A smaller file is sent whole. */
const PREVIEW_BYTES = { begin: 8 * 1024 * 1024, end: 2 * 1024 * 1024 }

/**
 * The part of a file that a preview sends: all of a small one, of a large one its first megabytes.
 *
 * @param from the byte to begin at, where an answer has said that nothing before it holds chats
 */
export async function previewForm(file: Blob, name: string, from = 0): Promise<FormData> {
  const form = new FormData()
  const { begin, end } = PREVIEW_BYTES
  if (file.size <= begin + end) {
    form.set('file', file, name)
    return form
  }
  const isZip = (await file.slice(0, 2).text()) === 'PK'
  const tail = isZip ? file.slice(file.size - end) : new Blob()
  const part = file.slice(from, Math.min(from + begin, file.size - tail.size))
  form.set('size', `${file.size}`)
  form.set('from', `${from}`)
  form.set('length', `${part.size}`)
  form.set('file', new Blob([part, tail]), name)
  return form
}
