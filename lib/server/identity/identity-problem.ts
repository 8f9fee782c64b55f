import 'server-only'
import type { Problem } from '@/lib/protocol'

const titles: Record<number, string> = {
  401: 'Not signed in',
  403: 'Not allowed',
  404: 'Not found',
  409: 'Conflict',
}

/**
 * An answer of the identity service, its errors as the problem documents of every other address: the status stays, its
 * code becomes ours (`INVALID_EMAIL` → `invalid_email`), its sentence the detail. Cookies it sets are kept.
 */
export async function withProblem(response: Response): Promise<Response> {
  const { status } = response
  if (status < 400) return response
  const said = await readError(response)
  const title = titles[status] ?? (status < 500 ? 'Invalid request' : 'Something went wrong')
  const problem: Problem = {
    type: 'about:blank',
    title,
    status,
    detail:
      status < 500 ? (said.message ?? `${title}.`) : 'Something went wrong on our side. Please try again.',
    code: status < 500 ? (said.code?.toLowerCase() ?? 'refused') : 'internal',
  }
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  headers.set('content-type', 'application/problem+json')
  headers.set('cache-control', 'no-store')
  return new Response(JSON.stringify(problem), { status, headers })
}

async function readError(response: Response): Promise<{ code?: string; message?: string }> {
  const text = await response.text()
  try {
    const { code, message } = Object(JSON.parse(text)) as Record<string, unknown>
    return {
      ...(typeof code === 'string' && /^\w{1,60}$/.test(code) ? { code } : {}),
      ...(typeof message === 'string' ? { message } : {}),
    }
  } catch {
    // empty, or no JSON: the status says what there is to say
    return {}
  }
}
