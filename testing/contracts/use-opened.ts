import { afterAll, beforeAll } from 'vitest'

/** Opens something once for a whole suite, and closes it after. */
export function useOpened<T extends { close(): Promise<void> }>(open: () => Promise<T>): () => T {
  let opened: T | undefined
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened?.close())
  return () => {
    if (!opened) throw new Error('it is not open')
    return opened
  }
}
