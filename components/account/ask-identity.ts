import { ProblemError, readProblem } from '@/components/app/problem'
import type { Problem } from '@/lib/protocol'

/**
 * Asks the identity service below `/api/auth/`. Not by the page's `Api`, which makes a visitor a guest before a write:
 * signing up makes none. Rejects with a {@link ProblemError}.
 */
export async function askIdentity<Answer>(
  path: string,
  body: object = {},
  signal?: AbortSignal,
): Promise<Answer> {
  const response = await fetch(`/api/auth/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  })
  if (!response.ok) throw new ProblemError(await readProblem(response))
  return (await response.json()) as Answer
}

/** Answer to a sign-in; `guest` is present for a person who was a guest. */
export interface SignedIn {
  guest?: { note: string | null }
}

/** A refusal that belongs to a field, in words of ours. */
export const refusal = (code: string, detail: string): ProblemError =>
  new ProblemError({ type: 'about:blank', title: 'Refused', status: 400, detail, code } satisfies Problem)
