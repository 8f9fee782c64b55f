import 'server-only'
import { z } from 'zod'
import type { Operation } from '../operation'
import { createdKey, createKeyRequest, keyList } from '../schemas/key-schemas'

const id = '019d3c25-3e6f-7d20-a6b4-2b1c8f5e9d33'

const account = z.strictObject({ email: z.email(), password: z.string().min(8).max(128) })
const newAccount = account.extend({ name: z.string() })
const who = { email: 'ada@example.org', password: 'correct horse battery staple' }

const cookie = { status: 200, description: 'You are signed in: the answer sets the session’s cookie.' }

export const accessOperations: Operation[] = [
  {
    id: 'signInAsGuest',
    method: 'post',
    path: '/api/auth/sign-in/anonymous',
    tag: 'Getting in',
    asks: 'anybody',
    summary: 'Come in as a guest',
    description: 'Makes a guest of you. What a guest owns moves along when they get an account.',
    body: { schema: z.object({}), example: {} },
    answers: [cookie],
  },
  {
    id: 'signUp',
    method: 'post',
    path: '/api/auth/sign-up/email',
    tag: 'Getting in',
    asks: 'anybody',
    summary: 'Make an account',
    body: { schema: newAccount, example: { ...who, name: 'Ada' } },
    answers: [cookie],
  },
  {
    id: 'signIn',
    method: 'post',
    path: '/api/auth/sign-in/email',
    tag: 'Getting in',
    asks: 'anybody',
    summary: 'Sign in',
    body: { schema: account, example: who },
    answers: [cookie],
  },
  {
    id: 'signOut',
    method: 'post',
    path: '/api/auth/sign-out',
    tag: 'Getting in',
    asks: 'anybody',
    summary: 'Sign out',
    body: { schema: z.object({}), example: {} },
    answers: [{ status: 200, description: 'The session is over.' }],
  },
  {
    id: 'readSession',
    method: 'get',
    path: '/api/auth/get-session',
    tag: 'Getting in',
    asks: 'anybody',
    summary: 'Who am I?',
    answers: [{ status: 200, description: 'The session and its user, or `null`.' }],
  },
  {
    id: 'createKey',
    method: 'post',
    path: '/api/keys',
    tag: 'Getting in',
    summary: 'Make an API key',
    description:
      'For a script or an agent that is to act as you: `Authorization: Bearer rk_…` on any request. A key can do what you can, making and revoking keys included. Only a hash of it is kept.',
    body: { schema: createKeyRequest, example: { name: 'nightly report' } },
    answers: [
      {
        status: 201,
        description: 'The key, shown this once.',
        schema: createdKey,
        example: { id, name: 'nightly report', key: 'rk_4fZ8qXn0v3Yw1kQm7sTbJc2LhRg5uPaE9iOdNfKzMxA' },
      },
    ],
    conflicts: { too_many_keys: 'There are too many keys. Revoke one you do not need.' },
  },
  {
    id: 'listKeys',
    method: 'get',
    path: '/api/keys',
    tag: 'Getting in',
    summary: 'Your API keys',
    answers: [
      {
        status: 200,
        description: 'Your keys, newest first, without what is secret of them.',
        schema: keyList,
        example: {
          keys: [
            {
              id,
              name: 'nightly report',
              hint: 'rk_4fZ8q',
              created_at: '2026-03-14T09:26:53.589Z',
              last_used_at: null,
            },
          ],
        },
      },
    ],
  },
  {
    id: 'revokeKey',
    method: 'delete',
    path: '/api/keys/{id}',
    tag: 'Getting in',
    names: 'The key',
    summary: 'Revoke an API key',
    answers: [{ status: 204, description: 'The key is worth nothing any more.' }],
  },
]
