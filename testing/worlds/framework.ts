import { afterAll, beforeAll } from 'vitest'
import { given } from '@/testing/machines/framework/given'

// What the framework gives to the code of a request, and a test of that code gives here. For the file or the block that calls it.

/** The headers of the request: a test sets them. */
export function requestHeaders(): { headers: Headers } {
  const asked = { headers: new Headers() }
  beforeAll(() => {
    given.headers = () => asked.headers
  })
  afterAll(() => {
    delete given.headers
  })
  return asked
}

/** What was to run when the answer is sent; it runs at once. */
export function tasksAfter(): Promise<unknown>[] {
  const tasks: Promise<unknown>[] = []
  beforeAll(() => {
    given.after = (task) => void tasks.push(task())
  })
  afterAll(() => {
    delete given.after
  })
  return tasks
}
