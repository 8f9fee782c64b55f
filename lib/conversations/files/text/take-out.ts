import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import path from 'node:path'
import { MAX_TEXT, type Taken, type Task } from './task'

/** Time that a file may take, and memory of its process. */
const [MOST_MS, HEAP_MB] = [30_000, 256]
/** Files that are read at the same time; others wait their turn. */
const READERS = 2
/** Characters of texts that are kept for the next prompt. */
const KEPT = 16_000_000

/** The program of the process, which is bundled apart from the app. */
const program = () => [
  path.join(process.cwd(), 'lib/runtime/cli/run.mjs'),
  'lib/conversations/files/text/reader.ts',
]

let running = 0
const waiting: (() => void)[] = []
const kept = new Map<string, Extract<Taken, { kind: 'text' }>>()

/**
 * Reads a file in a process of its own, whose time and memory are bounded: a thread that runs out of memory ends the server
 * with it. A text is kept by its content, the latest used longest: the prompts of a chat ask for it again.
 */
export async function takeOut(
  kind: Task['kind'],
  sha256: string | undefined,
  read: () => Promise<Buffer> | Buffer,
): Promise<Taken> {
  const known = sha256 && kept.get(sha256)
  if (known) {
    keep(sha256, known)
    return known
  }
  const bytes = await read()
  const taken = await inTurn(() => runReader({ kind, bytes }))
  if (taken.kind !== 'text') return taken
  const isLong = taken.text.length > MAX_TEXT
  const text = isLong
    ? `${taken.text.slice(0, MAX_TEXT).toWellFormed()}\n\n[The rest is left out: the first ${MAX_TEXT.toLocaleString('en')} characters of a file are read.]`
    : taken.text
  const whole = { kind: taken.kind, mediaType: taken.mediaType, text }
  keep(createHash('sha256').update(bytes).digest('hex'), whole)
  return whole
}

function keep(sha256: string, taken: Extract<Taken, { kind: 'text' }>): void {
  kept.delete(sha256)
  kept.set(sha256, taken)
  let room = KEPT
  for (const [key, { text }] of [...kept].reverse()) {
    room -= text.length
    if (room < 0) kept.delete(key)
  }
}

async function inTurn<T>(task: () => Promise<T>): Promise<T> {
  if (running >= READERS) await new Promise<void>((resolve) => waiting.push(resolve))
  else running += 1
  try {
    return await task()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

/** Asks a process, which ends with its answer. It gets no variable and no secret of this one. */
function runReader(task: Task): Promise<Taken> {
  return new Promise((resolve, reject) => {
    const reader = spawn(process.execPath, [`--max-old-space-size=${HEAP_MB}`, ...program()], {
      env: { NODE_ENV: process.env.NODE_ENV },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'advanced',
    })
    const tooLarge = (why: string): Taken => ({
      kind: 'refused',
      code: 'file_too_large',
      why: `${why} Split it, or save it as plain text, and attach that.`,
    })
    let said = ''
    let isSlow = false
    const clock = setTimeout(() => {
      isSlow = true
      reader.kill('SIGKILL')
    }, MOST_MS)
    reader.stderr?.setEncoding('utf8').on('data', (words: string) => {
      said = `${said}${words}`.slice(-2000)
    })
    reader
      .once('message', (taken: Taken) => resolve(taken))
      .once('error', reject)
      .once('close', (code, signal) => {
        clearTimeout(clock)
        if (isSlow) resolve(tooLarge(`takes longer than ${MOST_MS / 1000} seconds to read.`))
        else if (signal === 'SIGABRT' || /out of memory/i.test(said))
          resolve(tooLarge(`takes more than ${HEAP_MB} MB of memory to read.`))
        else reject(new Error(`The process that reads files ended with ${code ?? signal}: ${said}`))
      })
    // when the process ends before it has the bytes, its end gives the reason
    reader.send(task, () => undefined)
  })
}
