// `next/server` in Vitest

import * as framework from 'next/server.js'
import { given } from './given'

export * from 'next/server.js'

export const after = (task: (() => Promise<unknown>) | Promise<unknown>): void => {
  if (given.after) given.after(typeof task === 'function' ? task : () => task)
  else framework.after(task)
}

// a test that gives the headers of a request has one under way
export const connection = async (): Promise<void> => {
  if (!given.headers) await framework.connection()
}
