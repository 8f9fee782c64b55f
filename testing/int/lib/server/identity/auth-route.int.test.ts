import { describe, expect, it } from 'vitest'
import { newId } from '@/lib/events'
import { handleAuth } from '@/lib/server/api/access'
import { useApi } from '@/testing/worlds/api-world'
import { behindFront } from '@/testing/worlds/framework'
import { Browser, peopleOf } from '@/testing/worlds/identity-world'
import { onServedDatabase } from '@/testing/worlds/open-stores'

behindFront()

const password = 'correct horse battery staple'
const LIMIT = 4

onServedDatabase('signing in', ({ name }) => {
  const api = useApi(name, { RAMIFY_SIGN_IN_LIMIT: String(LIMIT), RAMIFY_QUOTA_ADDRESS_STREAMS: 'off' })

  const { browser, signIn, newEmail, account, signedIn, personOf } = peopleOf(api, handleAuth, password)
  const signUp = (one: Browser, email: string, more: object = {}) =>
    one.post('sign-up/email', { email, password, name: 'Ada', ...more })
  /** The person of somebody who has a cookie that was another's. */
  const thiefOf = (cookie: string) => {
    const thief = browser()
    thief.cookies.set(...(cookie.split('=') as [string, string]))
    return personOf(thief)
  }
  const { audits: ended } = api

  describe('a guest who signs in to an account', () => {
    it('then has the guest’s chats, a new session, and is told that the guest’s keys ended', async () => {
      const email = await account()
      const ada = browser()
      await ada.post('sign-in/anonymous')
      const guest = (await personOf(ada)) ?? ''
      const guestCookie = ada.cookie
      const chat = newId()
      await api.services.store.upsertChat({ id: chat, userId: guest })
      const made = await api.services.apiKeys.create(guest, { id: newId(), name: 'script' })
      const key = made?.made ? made.key : ''

      const answer = await signIn(ada, email)

      expect(answer.body.guest).toEqual({
        keys: 1,
        sessions: 1,
        note: '1 API key of your guest account ended. Make new ones for this account.',
      })
      expect([...answer.headers.keys()].filter((header) => header.startsWith('x-ramify'))).toEqual([])
      const person = await personOf(ada)
      expect(person).not.toBe(guest)
      expect((await api.services.store.getChat(chat))?.userId).toBe(person)
      expect(await api.services.apiKeys.holder(key, '10.0.0.1')).toBeUndefined()
      expect(await api.query('select 1 from "user" where id = $1', guest)).toEqual([])
      expect(ada.cookie).not.toBe(guestCookie)
      expect(await thiefOf(guestCookie)).toBeUndefined()
      expect(ended('account_linked').at(-1)).toMatchObject({ person, guest, keys_ended: 1 })
    })

    it('given nothing that ended, then nothing is said of it; given no guest, then nothing of guests', async () => {
      const email = await account()
      const ada = browser()
      await ada.post('sign-in/anonymous')
      expect((await signIn(ada, email)).body.guest).toMatchObject({ keys: 0, note: null })
      expect((await signIn(browser(), email)).body).not.toHaveProperty('guest')
    })

    it('when they sign up, then they are the guest still, until they sign in', async () => {
      const ada = browser()
      await ada.post('sign-in/anonymous')
      const guest = await personOf(ada)
      const email = newEmail()
      const answer = await signUp(ada, email)
      expect(answer.setCookies).toEqual([])
      expect(await personOf(ada)).toBe(guest)
      expect((await signIn(ada, email)).body.guest).toBeDefined()
    })
  })

  describe('sessions', () => {
    it('given a browser that was signed in, when it signs in again, then its former session is over', async () => {
      const email = await account()
      const ada = await signedIn(email)
      const before = ada.cookie
      await signIn(ada, email)
      expect(ada.cookie).not.toBe(before)
      expect(await thiefOf(before)).toBeUndefined()
    })

    it('given three browsers, when one signs out everywhere but here, then it stays; everywhere, then none does', async () => {
      const email = await account()
      const [ada, phone, tablet] = [await signedIn(email), await signedIn(email), await signedIn(email)]
      const person = await personOf(ada)
      expect((await ada.post('sign-out-everywhere', { keep_this: true })).body).toEqual({ ended: 2 })
      expect(await personOf(ada)).toBe(person)
      expect([await personOf(phone), await personOf(tablet)]).toEqual([undefined, undefined])
      const last = await ada.post('sign-out-everywhere')
      expect(last.body).toEqual({ ended: 1 })
      expect(ada.cookie).toBe('')
      expect((await ada.post('sign-out-everywhere')).status).toBe(401)
      expect(ended('sessions_ended').map(({ sessions }) => sessions)).toEqual([2, 1])
    })

    it('given a session with open streams, when it signs out, then they have ended by the answer', async () => {
      const email = await account()
      const ada = await signedIn(email)
      const { id, userId } = (await ada.get('get-session')).body.session
      let streamsEnded = 0
      const reader = { personId: userId, address: 'x', credential: { kind: 'session' as const, id } }
      const leave = api.services.streams.enter(reader, () => {
        streamsEnded++
        leave()
      })
      await ada.post('sign-out')
      expect(streamsEnded).toBe(1)
      expect(ended('sign_out').at(-1)).toMatchObject({ person: userId, address: ada.address })
    })

    it('then last thirty days, begin them again after one, and their token is in the cookie alone', async () => {
      const email = await account()
      const ada = browser()
      const answer = await signIn(ada, email)
      const [cookie = ''] = answer.setCookies
      expect(cookie).toMatch(/Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/)
      const token = decodeURIComponent(ada.cookie.split('=')[1] ?? '').split('.')[0] ?? ''
      const session = await ada.get('get-session')
      expect(session.setCookies).toEqual([])
      expect(token.length).toBeGreaterThan(20)
      expect(answer.text + session.text).not.toContain(token)

      const { id } = session.body.session
      await api.query(`update session set expires_at = now() + interval '28 days 23 hours' where id = $1`, id)
      const renewed = await ada.get('get-session')
      expect(renewed.setCookies[0]).toContain('Max-Age=2592000')
      expect(Date.parse(renewed.body.session.expiresAt)).toBeGreaterThan(Date.now() + 29.9 * 86_400_000)
    })
  })

  describe('attempts', () => {
    it('given one address, when it tries many accounts, then more than allowed in a minute are refused, whatever header it sends', async () => {
      const stranger = browser()
      const statuses = []
      for (let n = 0; n < LIMIT + 2; n++) {
        const at = `1.2.3.${n}`
        const headers = { 'x-forwarded-for': at, 'x-real-ip': at, forwarded: `for=${at}` }
        const wrong = { email: newEmail(), password: 'wrong wrong wrong' }
        const answer = await stranger.post('sign-in/email', wrong, headers)
        statuses.push(answer.status)
        if (answer.status === 429) {
          expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
          expect(answer.body).toMatchObject({ code: 'too_many_requests', limit: 'sign_in', allowed: LIMIT })
        }
      }
      expect(statuses).toEqual([...Array(LIMIT).fill(401), 429, 429])
      expect((await signUp(stranger, newEmail())).status).toBe(429)
      // other addresses are served
      expect((await browser().post('sign-in/anonymous')).status).toBe(200)
    })

    it('given one account, when it is tried from many addresses, then thirty wrong passwords are not thirty tries; its owner gets in from home', async () => {
      const email = await account()
      const home = await signedIn(email)
      const guess = async () => (await signIn(browser(), email.toUpperCase(), 'wrong wrong wrong')).status
      const statuses = await Promise.all(Array.from({ length: 30 }, guess))
      expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(LIMIT)
      expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(30 - LIMIT)
      // a stranger with the right password waits too, and the owner does not
      expect((await signIn(browser(), email)).status).toBe(429)
      expect((await signIn(home, email)).status).toBe(200)
    }, 120_000)

    it('given an account that strangers tried all day, then one try is left every quarter of an hour, and none is lost for ever', async () => {
      const email = await account()
      const attempt = async () => {
        await api.query(`update attempts set until = now() where key like 'account:%'`)
        return (await signIn(browser(), email)).status
      }
      expect(await attempt()).toBe(200)
      await api.query(`update attempts set count = 100 where key like 'account-day:%' and until > now()`)
      // the quarter has had its try
      const refused = await attempt()
      expect(refused).toBe(429)
      await api.query(`update attempts set until = now() where key like 'account-slow:%'`)
      expect(await attempt()).toBe(200)
      expect(await attempt()).toBe(429)
      await api.query(`update attempts set until = now() where key like 'account-day:%'`)
      expect(await attempt()).toBe(200)
    })

    it('given requests whose address is unknown, then one visitor does not take the tries of all others', async () => {
      const nowhere = () => new Browser(handleAuth, 'http://localhost:3000', 'unknown')
      for (let n = 0; n < LIMIT + 2; n++) {
        expect((await nowhere().post('sign-in/anonymous')).status).toBe(200)
      }
    })
  })

  describe('which addresses exist', () => {
    it('given a free and a taken address, when a stranger signs up with each, then both answers are the same, byte for byte, and as late', async () => {
      const taken = await account()
      const other = 'another good pass phrase'
      const told = async (email: string) => {
        const begun = performance.now()
        const { status, text, headers } = await signUp(browser(), email, { password: other })
        const quarters = Math.round((performance.now() - begun) / 250)
        return { quarters, answer: [status, text, [...headers]] }
      }
      const [free, again] = [await told(newEmail()), await told(taken)]
      expect(free.answer).toEqual(again.answer)
      // a busy machine delays single answers: the quickest of three say how long they take
      const quickest = async (first: number, next: () => string) =>
        Math.min(first, (await told(next())).quarters, (await told(next())).quarters)
      const ofFree = await quickest(free.quarters, newEmail)
      const ofTaken = await quickest(again.quarters, () => taken)
      expect(ofTaken).toBe(ofFree)
      // and the account that was there is as it was
      expect((await signIn(browser(), taken)).status).toBe(200)
      expect((await signIn(browser(), taken, other)).status).toBe(401)
    })

    it('given a free address that two sign up with at once, then both are answered alike, and there is one account', async () => {
      const email = newEmail()
      const both = await Promise.all([browser(), browser()].map((one) => signUp(one, email)))
      expect(both[0]?.text).toBe(both[1]?.text)
      expect(both.map(({ status }) => status)).toEqual([200, 200])
      expect(await api.query('select 1 from "user" where email = $1', email)).toHaveLength(1)
    })

    it('given an unknown address and a wrong password, then both are refused alike; the log has neither', async () => {
      const email = await account()
      const unknown = await signIn(browser(), newEmail(), 'no such secret')
      const wrong = await signIn(browser(), email, 'no such secret')
      expect(unknown.status).toBe(401)
      expect([unknown.status, unknown.text]).toEqual([wrong.status, wrong.text])
      const noted = { account: expect.any(String), address: expect.any(String) }
      expect(ended('sign_in_failed').at(-1)).toMatchObject(noted)
      expect(api.lines.join()).not.toMatch(/no such secret|example\.org|correct horse/)
    })
  })

  it.each([
    ['password123', 'guessed'],
    ['short', 'characters or more'],
    ['x'.repeat(129), 'at most'],
  ])(
    'given the password %j, when an account is made with it, then it is refused in words',
    async (weak, says) => {
      const { body } = await signUp(browser(), newEmail(), { password: weak })
      const detail = expect.stringContaining(says)
      expect(body).toMatchObject({ status: 400, code: 'weak_password', detail })
    },
  )

  it('given an address of the service that the app does not use, a page of another site, or a large form, then it is refused', async () => {
    const ada = browser()
    await ada.post('sign-in/anonymous')
    for (const path of ['update-user', 'delete-anonymous-user'])
      expect((await ada.post(path)).status, path).toBe(404)
    expect((await ada.get('verify-email?token=x&callbackURL=http://evil.example')).status).toBe(404)
    expect((await ada.post('sign-out', {}, { origin: 'http://evil.example' })).status).toBe(403)
    expect((await signIn(ada, 'x'.repeat(20_000))).status).toBe(413)
    expect(await personOf(ada)).toBeDefined()
  })

  it('given fields that no form has, when an account is made with them, then they are not stored', async () => {
    const email = newEmail()
    const more = { image: 'https://evil.example/x', emailVerified: true, isAnonymous: true }
    await signUp(browser(), email, more)
    const stored = 'select image, email_verified, is_anonymous from "user" where email = $1'
    const none = { image: null, email_verified: false, is_anonymous: false }
    expect(await api.query(stored, email)).toEqual([none])
  })
})
