// `next/headers` in Vitest

import * as framework from 'next/headers.js'
import { given } from './given'

export * from 'next/headers.js'

export const headers = async (): Promise<Headers> => given.headers?.() ?? framework.headers()
