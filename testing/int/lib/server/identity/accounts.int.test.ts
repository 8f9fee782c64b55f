import { beforeEach, describe, expect, it, vi } from 'vitest'
import { newId } from '@/lib/events'
import { handleAuth } from '@/lib/server/api/access'
import {
  endSession,
  listSessions,
  readAccount,
  removePasskey,
  renamePasskey,
} from '@/lib/server/api/accounts'
import type { Operation } from '@/lib/server/api/operation'
import { useApi } from '@/testing/worlds/api-world'
import { type Browser, peopleOf } from '@/testing/worlds/identity-world'
import { onOneDatabase } from '@/testing/worlds/open-stores'

const password = 'correct horse battery staple'
const better = 'a better horse without any battery'

// what the database does for it: lib/auth/everything-of-a-person.int.test.ts
onOneDatabase('accounts', ({ name }) => {
  const api = useApi(name, { GITHUB_CLIENT_ID: 'ramify', GITHUB_CLIENT_SECRET: 'a-secret-of-github' })
  const { lines: printed } = api
  beforeEach(() => void printed.splice(0))

  const { browser, signIn, newEmail, account, signedIn, personOf } = peopleOf(api, handleAuth, password)
  const statusOf = async (email: string, secret = password) => (await signIn(browser(), email, secret)).status
  const letters = () => printed.filter((line) => line.includes('letter to'))
  const tokenOf = (letter = '') => /#(\S+)/.exec(letter)?.[1] ?? ''
  const ask = (operation: Operation, ada: Browser, id = '', body?: object) =>
    api.ask(operation, { id, body, ...(ada.cookies.size > 0 && { headers: { cookie: ada.cookie } }) })

  describe('a new password by a link', () => {
    it('given an address with an account and one without, when a link is asked for, then the answers are the same, and only the account’s gets a letter', async () => {
      const email = await account()
      const known = await browser().post('request-password-reset', { email })
      const unknown = await browser().post('request-password-reset', { email: newEmail() })
      expect([known.status, known.text]).toEqual([200, unknown.text])
      expect(letters()).toHaveLength(1)
    })

    it('given a link, when it is used, then the password is new and every session has ended; used again or late it is refused', async () => {
      const email = await account()
      const ada = await signedIn(email)
      await browser().post('request-password-reset', { email })
      const token = tokenOf(letters()[0])
      const reset = (given: object) => browser().post('reset-password', { token, ...given })
      // the database holds no token that could be used
      const stored = JSON.stringify(await api.query('select * from verification'))
      expect(stored).toContain('identifier')
      expect(stored).not.toContain(token)

      expect((await reset({ password: 'password123' })).body.code).toBe('weak_password')
      expect((await reset({ password: better })).status).toBe(200)
      expect(await personOf(ada)).toBeUndefined()
      expect(await statusOf(email)).toBe(401)
      expect(await statusOf(email, better)).toBe(200)

      const used = await reset({ password })
      expect([used.status, used.body.code]).toEqual([400, 'invalid_link'])
      await browser().post('request-password-reset', { email })
      const late = tokenOf(letters()[1])
      await api.query(`update verification set expires_at = now() - interval '1 minute'`)
      const refused = await browser().post('reset-password', { token: late, password })
      expect([refused.status, refused.text]).toEqual([400, used.text])
      expect(await statusOf(email, better)).toBe(200)
    })
  })

  it('given two sessions, when the password is changed in one, then a wrong present one is refused, the other session ends, and this one has a new cookie', async () => {
    const email = await account()
    const ada = await signedIn(email)
    const other = await signedIn(email)
    const before = ada.cookie
    const wrong = await ada.post('change-password', { current: 'not the horse', password: better })
    expect([wrong.status, wrong.body.code]).toEqual([400, 'wrong_password'])
    expect(await personOf(other)).toBeDefined()
    const done = await ada.post('change-password', { current: password, password: better })
    expect(done.status).toBe(200)
    expect(done.text).not.toContain('token')
    expect(ada.cookie).not.toBe(before)
    expect(await personOf(other)).toBeUndefined()
    expect(await personOf(ada)).toBeDefined()
  })

  it('given a browser with the cookie of a session that has ended, when it signs in, then it is signed in', async () => {
    const email = await account()
    const ada = await signedIn(email)
    await api.query('delete from session where user_id = $1', await personOf(ada))
    expect((await signIn(ada, email)).status).toBe(200)
    expect(await personOf(ada)).toBeDefined()
  })

  it('given a new address, when its link is opened, then the account has it; an address that is taken gets no letter and the same answer', async () => {
    const [email, taken, next] = [await account(), await account(), newEmail()]
    const ada = await signedIn(email)
    const change = (to: string, secret = password) =>
      ada.post('change-email', { email: to, password: secret })
    expect((await change(next, 'not the horse')).body.code).toBe('wrong_password')
    const refused = await change(taken)
    expect(letters()).toHaveLength(0)
    expect((await change(next.toUpperCase())).text).toBe(refused.text)
    const token = tokenOf(letters()[0])
    expect(await statusOf(next)).toBe(401)
    expect((await browser().post('confirm-email', { token })).status).toBe(200)
    expect(await statusOf(next)).toBe(200)
    expect(await statusOf(email)).toBe(401)
    expect((await browser().post('confirm-email', { token })).body.code).toBe('invalid_link')
  })

  it('given sessions and passkeys of two persons, then each sees and ends its own; another’s is answered like a missing one, byte for byte', async () => {
    const email = await account()
    const [ada, phone] = [await signedIn(email), await signedIn(email)]
    const eve = await signedIn(await account())
    const own = (await ask(listSessions, ada)).body.sessions as { id: string; current: boolean }[]
    expect(own.map(({ current }) => current).sort()).toEqual([false, true])
    const other = own.find(({ current }) => !current)?.id ?? ''
    const passkey = newId()
    await api.query(
      `insert into passkey (id, public_key, user_id, credential_id, counter, device_type, backed_up)
      values ($1, 'k', $2, $1, 0, 'singleDevice', false)`,
      passkey,
      await personOf(ada),
    )
    for (const [operation, id, body] of [
      [endSession, other],
      [renamePasskey, passkey, { name: 'Mine' }],
      [removePasskey, passkey],
    ] as const) {
      const { status, text } = await ask(operation, eve, id, body)
      expect([status, text]).toEqual([404, (await ask(operation, eve, newId(), body)).text])
      expect((await ask(operation, browser(), id, body)).status).toBe(401)
    }
    expect((await ask(readAccount, browser())).status).toBe(401)
    const passkeys = [{ id: passkey, name: 'Passkey' }]
    expect((await ask(readAccount, ada)).body).toMatchObject({ email, passkeys })
    expect((await ask(renamePasskey, ada, passkey, { name: ' ' })).status).toBe(400)
    expect((await ask(renamePasskey, ada, passkey, { name: ' Laptop ' })).status).toBe(204)
    expect((await ask(readAccount, ada)).body.passkeys).toMatchObject([{ id: passkey, name: 'Laptop' }])
    expect(await personOf(phone)).toBeDefined()
    expect((await ask(endSession, ada, other)).status).toBe(204)
    expect((await ask(removePasskey, ada, passkey)).status).toBe(204)
    expect(await personOf(phone)).toBeUndefined()
  })

  it('given an account with chats, when it is deleted, then a wrong password changes nothing; after that nothing of it is left, and the address is free', async () => {
    const email = await account()
    const ada = await signedIn(email)
    const person = (await personOf(ada)) ?? ''
    const chats = Array.from({ length: 25 }, () => newId())
    for (const id of chats) await api.services.store.upsertChat({ id, userId: person })
    const made = await api.services.apiKeys.create(person, { id: newId(), name: 'script' })

    expect((await ada.post('delete-account', { confirm: 'yes', password })).status).toBe(400)
    const wrong = await ada.post('delete-account', { confirm: 'delete', password: 'not the horse' })
    expect([wrong.status, wrong.body.code]).toEqual([400, 'wrong_password'])
    expect(await personOf(ada)).toBe(person)

    expect((await ada.post('delete-account', { confirm: 'delete', password })).status).toBe(200)
    expect(ada.cookie).not.toContain('session_token')
    expect(await api.services.apiKeys.holder(made?.made ? made.key : '', '10.0.0.1')).toBeUndefined()
    expect(await api.query('select 1 from chats where user_id = $1', person)).toEqual([])
    expect(await statusOf(email)).toBe(401)
    await account(email)

    const work = api.services.chores['deleting the chats of deleted accounts']
    for (let round = 0; (await work()) > 0 && round < 20; round++);
    const left = await api.query('select 1 from chats where id = any($1::text[])', chats)
    expect(left).toEqual([])
    expect(await api.query('select 1 from "user" where gone_at is not null')).toEqual([])
  })

  it('given a guest, when GitHub signs it in, then its chats come along; without its keys Google is not there', async () => {
    const ada = browser()
    await ada.post('sign-in/anonymous')
    const [guest, chat] = [(await personOf(ada)) ?? '', newId()]
    await api.services.store.upsertChat({ id: chat, userId: guest })
    expect((await ada.post('sign-in/social', { provider: 'google' })).status).toBe(404)
    const begun = await ada.post('sign-in/social', { provider: 'github' })
    const state = new URL(begun.body.url).searchParams.get('state')
    const email = newEmail()
    const answers: Record<string, unknown> = {
      '/login/oauth/access_token': { access_token: 'gho_1', token_type: 'bearer', scope: 'user:email' },
      '/user': { id: Math.floor(Math.random() * 1e9), login: 'ada', name: 'Ada', email },
      '/user/emails': [{ email, primary: true, verified: true, visibility: 'private' }],
    }
    const asked = vi
      .spyOn(globalThis, 'fetch')
      .mockImplementation(async (input) =>
        Response.json(answers[new URL(input instanceof Request ? input.url : input).pathname]),
      )
    const back = await ada.get(`callback/github?code=c0de&state=${state}`).finally(() => asked.mockRestore())
    expect([back.status, back.headers.get('location')]).toEqual([302, '/'])
    const person = await personOf(ada)
    expect(person).not.toBe(guest)
    expect((await api.services.store.getChat(chat))?.userId).toBe(person)
    const known = { email, services: ['github'], has_password: false }
    expect((await ask(readAccount, ada)).body).toMatchObject(known)
  })

  it('given a way back from GitHub that nobody began, or that ended badly, then the browser is sent to the page that signs in', async () => {
    const ada = browser()
    const begin = async () =>
      new URL((await ada.post('sign-in/social', { provider: 'github' })).body.url).searchParams.get('state')
    const eve = browser()
    for (const [one, query] of [
      ...['', '?code=x', '?state=x&code=y', '?error=access_denied', '?state=%ff', '?state=a&state=b'].map(
        (query) => [ada, query] as const,
      ),
      [ada, `?state=${await begin()}&error=access_denied`],
      [ada, `?state=${await begin()}`],
      [eve, `?state=${await begin()}&code=x`],
    ] as const) {
      const back = await one.get(`callback/github${query}`)
      expect([back.status, back.headers.get('location')], query).toEqual([
        302,
        expect.stringMatching(/^(?:http:\/\/localhost:3000)?\/settings\/account\?error=\w+/),
      ])
      expect(await personOf(one)).toBeUndefined()
    }
  })

  it('given a server without guests, when a visitor would write, then it is told to sign in, and no one is made', async () => {
    const people = async () => (await api.query('select 1 from "user"')).length
    const before = await people()
    api.services.env.RAMIFY_GUESTS = 'off'
    const answer = await browser()
      .post('sign-in/anonymous')
      .finally(() => {
        api.services.env.RAMIFY_GUESTS = 'on'
      })
    expect([answer.status, answer.body.code, answer.setCookies]).toEqual([401, 'guests_off', []])
    expect(answer.body.detail).toBe('This server has no guests. Sign in, or sign up for an account.')
    expect(await people()).toBe(before)
  })

  it('given a passkey’s options, then a forged answer signs nobody in, and a guest gets none', async () => {
    const eve = browser()
    expect((await eve.post('passkey/sign-in-options')).body.challenge).toEqual(expect.any(String))
    const forged = await eve.post('passkey/sign-in', { response: { id: 'AAAA', type: 'public-key' } })
    expect([forged.status, forged.body.code]).toEqual([401, 'invalid_passkey'])
    await eve.post('sign-in/anonymous')
    expect((await eve.post('passkey/options')).status).toBe(403)
    const ada = await signedIn(await account())
    expect((await ada.post('passkey/options')).body.rp).toMatchObject({ id: 'localhost' })
  })
})
