import { afterAll, beforeAll, vi } from 'vitest'
import { headersUnderWay, tasksAfter } from './framework'

/**
 * A world for the tests of a block, which is opened before them and closed after. What the server logs is in `lines` and not on
 * the console; what it does after an answer begins at once, is in `tasks`, and has ended when the world closes.
 */
export function useWorld<World extends { close(): Promise<void> }>(open: () => Promise<World>) {
  let opened: World | undefined
  const lines: string[] = []
  headersUnderWay()
  const tasks = tasksAfter()
  beforeAll(async () => {
    opened = await open()
    for (const stream of ['log', 'error'] as const)
      vi.spyOn(console, stream).mockImplementation((line) => void lines.push(String(line)))
  })
  afterAll(async () => {
    await Promise.all(tasks)
    vi.restoreAllMocks()
    await opened?.close()
  })
  const world = new Proxy({} as World, {
    get: (_, key) => Reflect.get(opened ?? {}, key),
    set: (_, key, value) => Reflect.set(opened ?? {}, key, value),
  })
  /** the lines of the audit log about an event */
  const audits = (event: string): Record<string, unknown>[] =>
    lines.filter((line) => line.includes(`"audit":"${event}"`)).map((line) => JSON.parse(line))
  return { world, lines, tasks, audits }
}
