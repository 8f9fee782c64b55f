import { describe, expect, it } from 'vitest'
import { offline, ProblemError, problemOf, readProblem, unreached } from '@/components/app/problem'

const moved = {
  type: 'about:blank',
  title: 'Conflict',
  status: 409,
  detail: 'The branch moved on.',
  code: 'head_moved',
}

describe('readProblem', () => {
  it('keeps the words of a problem document', async () => {
    expect(await readProblem(Response.json(moved, { status: 409 }))).toEqual(moved)
  })

  it.each(['<h1>502</h1>', '', 'null', '[]', '{"detail":1}'])('answers calmly to %j', async (body) => {
    const problem = await readProblem(new Response(body, { status: 502 }))
    expect(problem).toMatchObject({ status: 502, code: 'unknown' })
    expect(problem.detail).not.toContain('<')
  })
})

describe('problemOf', () => {
  it('tells a lost connection from a refusal', () => {
    expect(problemOf(new TypeError('Failed to fetch'))).toBe(offline)
    expect(problemOf(new TypeError('Failed to fetch'), unreached).detail).not.toContain('message')
    expect(problemOf(new ProblemError(moved))).toBe(moved)
    expect(problemOf(new Error('boom')).detail).toBe('boom')
    expect(problemOf(undefined).code).toBe('unknown')
  })
})
