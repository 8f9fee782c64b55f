import { Refused, type Taken, type Task } from './task.ts'

// The program of the process that reads files. Each task loads what it needs.

async function take({ kind, bytes: given }: Task): Promise<Taken> {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
  if (kind === 'picture') {
    const { readPicture } = await import('./picture.ts').catch(cannotReadPictures)
    return { kind: 'picture', bytes: await readPicture(bytes) }
  }
  if (kind === 'pdf') {
    const { readPdf } = await import('./pdf.ts')
    return { kind: 'text', mediaType: 'application/pdf', text: await readPdf(bytes) }
  }
  if (kind === 'rtf') {
    const { readRtf } = await import('./rtf.ts')
    return { kind: 'text', mediaType: 'application/rtf', text: readRtf(bytes) }
  }
  const { readZip } = await import('./documents.ts')
  const { mediaType, text } = await readZip(bytes)
  return { kind: 'text', mediaType, text }
}

/** sharp is made for each system, and an installation may lack it. */
function cannotReadPictures(cause: unknown): never {
  if (!String(cause).includes('sharp')) throw cause
  console.error(cause)
  throw new Refused(
    'unsupported_type',
    'is a picture that this installation cannot read, since it lacks sharp. Save it as JPEG, and attach that.',
  )
}

process.once('message', async (task: Task) => {
  const taken = await take(task).catch((error: unknown): Taken => {
    if (error instanceof Refused) return { kind: 'refused', code: error.code, why: error.message }
    throw error
  })
  process.send?.(taken, () => process.disconnect())
})
