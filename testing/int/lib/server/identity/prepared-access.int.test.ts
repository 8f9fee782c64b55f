import { describe, expect, it } from 'vitest'
import { newId } from '@/lib/events'
import { handleAuth } from '@/lib/server/api/access'
import { removePasskey } from '@/lib/server/api/accounts'
import { useApi } from '@/testing/worlds/api-world'
import { type Browser, peopleOf } from '@/testing/worlds/identity-world'
import { onOneDatabase, onServedDatabase } from '@/testing/worlds/open-stores'

const password = 'correct horse battery staple'
const better = 'a better horse without any battery'
const thiefs = 'a password that only thieves know'

/** People whose accounts have other ways in beside the password, and the links of their letters. */
function useAccounts(name: Parameters<typeof useApi>[0]) {
  const api = useApi(name)
  const people = peopleOf(api, handleAuth, password)
  const { browser, newEmail } = people

  const newLink = (to: string) =>
    /#(\S+)/.exec(api.lines.filter((line) => line.includes(`letter to ${to}:`)).at(-1) ?? '')?.[1]
  const addPasskey = async (person: string): Promise<string> => {
    const id = newId()
    await api.query(
      `insert into passkey (id, public_key, user_id, credential_id, counter, device_type, backed_up)
      values ($1, 'k', $2, $1, 0, 'singleDevice', false)`,
      ...[id, person],
    )
    return id
  }
  const askForReset = async (email: string) => {
    await browser().post('request-password-reset', { email })
    return newLink(email)
  }
  const askForAddress = async (ada: Browser, to: string, secret = password) => {
    await ada.post('change-email', { email: to, password: secret })
    return newLink(to)
  }
  const connectApp = async (person: string) => {
    const app = { name: 'Editor', redirectUris: ['http://localhost/back'], authMethod: 'none' as const }
    const { id: clientId } = await api.services.apps.register(app)
    await api.services.apps.grant(
      person,
      {
        clientId,
        scopes: ['read'],
        resource: 'http://localhost/mcp',
        redirectUri: 'http://localhost/back',
        codeChallenge: 'c'.repeat(43),
      },
      10,
    )
  }

  return {
    api,
    ...people,
    askForReset,
    askForAddress,
    addPasskey,
    /** A person with a session elsewhere, a key, an app that is connected, and a passkey. */
    async prepared() {
      const email = await people.account()
      const [ada, other] = await Promise.all([people.signedIn(email), people.signedIn(email)])
      const person = (await people.personOf(ada)) ?? ''
      await api.services.apiKeys.create(person, { id: newId(), name: 'script' })
      await connectApp(person)
      const passkey = await addPasskey(person)
      return { email, ada, other, person, passkey }
    },
    /** what still gets in to an account, beside the password */
    async waysIn(person: string): Promise<string[]> {
      const rows = await api.query<{ way: string }>(
        `select 'session' as way from session where user_id = $1 union select 'key' from api_keys where user_id = $1
        union select 'app' from oauth_grants where user_id = $1 union select 'passkey' from passkey where user_id = $1
        order by way`,
        person,
      )
      return rows.map(({ way }) => way)
    },
    signsIn: async (email: string, secret: string) =>
      (await people.signIn(browser(), email, secret)).status === 200,
    newEmail,
  }
}

// Each test has a person of its own, and mostly waits: answers that would tell by their time end at whole steps.
onOneDatabase('what was prepared before a credential changed', ({ name }) => {
  const world = useAccounts(name)
  const { browser, newEmail, prepared, askForReset, askForAddress, addPasskey, signsIn } = world
  type Prepared = Awaited<ReturnType<typeof prepared>>

  /** each change, and the password that the account has after it */
  const changes: Record<string, (of: Prepared) => Promise<unknown>> = {
    'a changed password': ({ ada }) => ada.post('change-password', { current: password, password: better }),
    'a password set by a letter': async ({ email }) =>
      browser().post('reset-password', { token: await askForReset(email), password: better }),
    'a changed address': async ({ ada }) =>
      browser().post('confirm-email', { token: await askForAddress(ada, newEmail()) }),
    'an added passkey': ({ person }) => addPasskey(person),
    'a removed passkey': ({ ada, passkey }) =>
      world.api.ask(removePasskey, { id: passkey, headers: { cookie: ada.cookie } }),
  }
  const links: Record<string, (of: Prepared) => Promise<{ path: string; body: object }>> = {
    'a new password': async ({ email }) => ({
      path: 'reset-password',
      body: { token: await askForReset(email), password: thiefs },
    }),
    'a new address': async ({ other }) => ({
      path: 'confirm-email',
      body: { token: await askForAddress(other, newEmail()) },
    }),
  }
  describe.concurrent.each(Object.keys(links))('the link of a letter for %s', (link) => {
    it('given no change, when it is opened, then it works', async () => {
      const { path, body } = (await links[link]?.(await prepared())) ?? { path: '', body: {} }
      expect((await browser().post(path, body)).status).toBe(200)
    })

    it.each(Object.keys(changes))(
      'given %s after it was asked for, when it is opened, then it is refused and changes nothing',
      async (change) => {
        const ada = await prepared()
        const { path, body } = (await links[link]?.(ada)) ?? { path: '', body: {} }
        await changes[change]?.(ada)
        const account = () =>
          world.api.query(
            'select u.email, a.password from "user" u join account a on a.user_id = u.id where u.id = $1',
            ada.person,
          )
        const before = await account()
        const { status, body: answer } = await browser().post(path, body)
        expect([status, answer.code]).toEqual([400, 'invalid_link'])
        expect(answer.detail).toContain('the account has changed since. Ask for a new one.')
        expect(await account()).toEqual(before)
      },
    )
  })

  it.concurrent.each([
    ['end', {}, []],
    ['stay where the person says so, but no session', { end_access: false }, ['app', 'key', 'passkey']],
  ] as const)(
    'given keys, apps and passkeys, when a password is set by a letter, then they %s',
    async (_, given, left) => {
      const { email, person } = await prepared()
      const token = await askForReset(email)
      expect((await browser().post('reset-password', { token, password: better, ...given })).status).toBe(200)
      expect(await world.waysIn(person)).toEqual(left)
      expect(await signsIn(email, better)).toBe(true)
    },
  )

  it.concurrent.each([
    ['end', {}, ['passkey', 'session'], false],
    ['stay where the person says so', { end_access: false }, ['app', 'key', 'passkey', 'session'], true],
  ] as const)(
    'given another session, keys and apps, when the password is changed, then they %s; the person stays signed in',
    async (_, given, left, stays) => {
      const { email, person, ada, other } = await prepared()
      const asked = { current: password, password: better, ...given }
      expect((await ada.post('change-password', asked)).status).toBe(200)
      expect(await world.waysIn(person)).toEqual(left)
      expect(await world.personOf(ada)).toBe(person)
      expect((await world.personOf(other)) === person).toBe(stays)
      expect(await signsIn(email, better)).toBe(true)
    },
  )

  it.concurrent('given an address that was changed and changed back, when a link from before is opened, then it is refused', async () => {
    const { email, ada } = await prepared()
    const token = await askForReset(email)
    for (const to of [newEmail(), email])
      await browser().post('confirm-email', { token: await askForAddress(ada, to) })
    expect((await browser().post('reset-password', { token, password: thiefs })).body.code).toBe(
      'invalid_link',
    )
  })
})

onServedDatabase('changes of a credential at once', ({ name }) => {
  const { browser, signIn, signsIn, prepared, askForReset } = useAccounts(name)

  it('given two links, when both set a password at once, then one does', async () => {
    const { email } = await prepared()
    const tokens = [await askForReset(email), await askForReset(email)]
    const secrets = [better, thiefs]
    const answers = await Promise.all(
      tokens.map((token, at) => browser().post('reset-password', { token, password: secrets[at] })),
    )
    const done = answers.findIndex(({ status }) => status === 200)
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    expect((await signIn(browser(), email, secrets[done])).status).toBe(200)
  })

  it('given one password, when two sessions change it at once, then the first is kept', async () => {
    const { email, ada, other } = await prepared()
    const answers = await Promise.all([
      ada.post('change-password', { current: password, password: better }),
      other.post('change-password', { current: password, password: thiefs }),
    ])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect([await signsIn(email, better), await signsIn(email, thiefs)]).toEqual(
      answers.map(({ status }) => status === 200),
    )
  })
})
