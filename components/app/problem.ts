import type { Problem } from '@/lib/protocol'
import { noteNewVersion } from './new-version'

/** A request that was answered with a problem document. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'

  constructor(readonly problem: Problem) {
    super(problem.detail)
  }
}

const said = (code: string, title: string, detail: string, status = 0): Problem => ({
  type: 'about:blank',
  title,
  status,
  detail,
  code,
})

export const offline = said(
  'offline',
  'No connection',
  'The server could not be reached. Your message is still in the box: send it again when you are back online.',
)

/** The same for requests that send no message. */
export const unreached: Problem = {
  ...offline,
  detail: 'The server could not be reached. Try again when you are back online.',
}

/** The session that the page was opened with counts no longer. */
export const sessionEnded = said(
  'unauthenticated',
  'Your session has ended',
  'Your session has ended. Reload the page and sign in.',
  401,
)

/** The words for a page that is older than its server. */
export const newVersion =
  'Ramify has been updated since this page was opened. Reload the page to go on: what you have written is kept.'

/** Reads a refusal; anything but a problem document becomes a calm sentence. */
export async function readProblem(response: Response): Promise<Problem> {
  try {
    const body: unknown = await response.json()
    if (isProblem(body)) return body
  } catch {
    // not JSON: a proxy's page, or nothing
  }
  return said(
    'unknown',
    'That did not work',
    'The server gave no reason. Try again in a moment.',
    response.status,
  )
}

/**
 * The problem behind an error of a request.
 *
 * @param away the problem for a server that could not be reached
 */
export function problemOf(error: unknown, away = offline): Problem {
  if (error instanceof ProblemError) return error.problem
  // fetch rejects with a TypeError when nothing came back
  if (error instanceof TypeError) return away
  const { name, message } = error instanceof Error ? error : new Error('')
  if (name === 'ChunkLoadError') return away
  // Next throws this for a server action that the server's version does not have
  if (name === 'UnrecognizedActionError') {
    noteNewVersion(true)
    return said('new_version', 'Ramify has been updated', newVersion)
  }
  return said('unknown', 'That did not work', message || 'Something went wrong. Try again in a moment.')
}

/** True when the wanted thing does not exist for this visitor: asking again would change nothing. */
export function isGone(error: unknown): boolean {
  const { status } = problemOf(error)
  return status === 404 || status === 401
}

function isProblem(value: unknown): value is Problem {
  if (typeof value !== 'object' || value === null) return false
  const { detail, code, status } = value as Partial<Record<keyof Problem, unknown>>
  return typeof detail === 'string' && typeof code === 'string' && typeof status === 'number'
}

/**
 * True when the browser has no network and needs it: a server on this machine is reached without one. `false` does not
 * mean that the server answers.
 */
export function isOffline(): boolean {
  return navigator.onLine === false && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(location.hostname)
}
