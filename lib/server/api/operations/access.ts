import 'server-only'
import { z } from 'zod'
import type { Operation } from '../operation'
import { signInRequest, signOutEverywhereRequest, signUpRequest } from '../schemas/identity-schemas'
import { createdKey, createKeyRequest, keyList } from '../schemas/key-schemas'

const id = '019d3c25-3e6f-7d20-a6b4-2b1c8f5e9d33'

const until = '2027-03-14T00:00:00.000Z'
const who = { email: 'ada@example.org', password: 'correct horse battery staple' }

const scopes = ['read', 'write']

const cookie = {
  status: 200,
  description:
    'You are signed in: the answer sets the session’s cookie, for 30 days from the last use. The token is in the cookie alone.',
}

export const accessOperations: Operation[] = [
  {
    id: 'signInAsGuest',
    method: 'post',
    path: '/api/auth/sign-in/anonymous',
    tag: 'Getting in',
    asks: 'anybody',
    summary: 'Come in as a guest',
    description:
      'Makes a guest of you. A guest’s chats move to the account that signs in on the same browser.',
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
    description:
      'Makes the account; sign in with it then. The answer is the same, and comes as late, when the address is taken: which addresses exist is not told. A password has 10 to 128 characters; one that is guessed early is refused (400 `weak_password`).',
    body: { schema: signUpRequest, example: { ...who, name: 'Ada' } },
    answers: [{ status: 200, description: 'Sign in with it now.' }],
  },
  {
    id: 'signIn',
    method: 'post',
    path: '/api/auth/sign-in/email',
    tag: 'Getting in',
    asks: 'anybody',
    summary: 'Sign in',
    description:
      'Given a guest’s cookie, the guest’s chats move to the account, and the guest’s keys, sessions and remembered answers to commands end: `guest` in the answer says how many. A wrong address and a wrong password are the same 401, after the same time. Attempts are limited per network address and per account (429).',
    body: { schema: signInRequest, example: who },
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
    answers: [{ status: 200, description: 'The session is over, and its streams have ended.' }],
  },
  {
    id: 'signOutEverywhere',
    method: 'post',
    path: '/api/auth/sign-out-everywhere',
    tag: 'Getting in',
    asks: 'anybody',
    summary: 'Sign out everywhere',
    description:
      'Ends all your sessions, and with them their streams. Keys stay: revoke those by themselves.',
    body: { schema: signOutEverywhereRequest, example: { keep_this: true } },
    answers: [
      {
        status: 200,
        description: 'So many sessions are over.',
        schema: z.object({ ended: z.int() }),
        example: { ended: 3 },
      },
    ],
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
      'For a script or an agent that is to act as you: `Authorization: Bearer rk_…` on any request. A key does what its scopes allow: `read` is `GET`, `write` is everything else, making and revoking keys included. A key that is made with a key has no other scopes and ends no later; without `scopes` or `expires_at` it has that key’s. A key of a guest ends when the guest signs in to an account. Only a hash of it is kept.',
    body: {
      schema: createKeyRequest,
      example: { name: 'nightly report', scopes: ['read'], expires_at: until },
    },
    answers: [
      {
        status: 201,
        description: 'The key, shown this once.',
        schema: createdKey,
        example: {
          ...{ id, name: 'nightly report', key: 'rk_4fZ8qXn0v3Yw1kQm7sTbJc2LhRg5uPaE9iOdNfKzMxA' },
          ...{ scopes: ['read'], expires_at: until },
        },
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
        description:
          'Your keys, newest first, expired ones of the last month included, without what is secret of them.',
        schema: keyList,
        example: {
          keys: [
            {
              id,
              name: 'nightly report',
              hint: 'rk_4fZ8q',
              scopes,
              created_at: '2026-03-14T09:26:53.589Z',
              expires_at: null,
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
    answers: [
      {
        status: 204,
        description: 'The key is worth nothing any more, and streams opened with it end within a second.',
      },
    ],
  },
]
