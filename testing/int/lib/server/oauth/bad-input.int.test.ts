import { createHash, randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { behindFront } from '@/testing/worlds/framework'
import { mcpRequest } from '@/testing/worlds/mcp-world'
import { codeIn, openOAuthWorld, type Person } from '@/testing/worlds/oauth-world'
import { onServedDatabase } from '@/testing/worlds/open-stores'
import { useWorld } from '@/testing/worlds/use-world'

behindFront()

const callback = 'http://localhost:33418/callback'

onServedDatabase('OAuth, asked wrongly', ({ name }) => {
  const { world, lines, audits } = useWorld(() => openOAuthWorld(name, { RAMIFY_SIGN_IN_LIMIT: '10' }))
  let ada: Person
  beforeAll(async () => {
    ada = await world.someone()
  })

  const app = async (metadata: object = {}) => {
    const given = { redirect_uris: [callback], token_endpoint_auth_method: 'none', ...metadata }
    const { status, body, text } = await world.register(given)
    expect(status, text).toBe(201)
    return body as { client_id: string; client_secret?: string }
  }
  const proof = () => {
    const verifier = randomBytes(32).toString('base64url')
    return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
  }
  /** The address to which an app sends a person. */
  const asks = (client_id: string, challenge: string, changes: Record<string, string | undefined> = {}) => {
    const query = {
      response_type: 'code',
      client_id,
      redirect_uri: callback,
      scope: 'read write',
      state: 's',
      code_challenge: challenge,
      code_challenge_method: 'S256',
      ...changes,
    }
    const given = Object.entries(query).filter((field): field is [string, string] => field[1] !== undefined)
    return `/oauth/authorize?${new URLSearchParams(given)}`
  }
  /** A code, and the form that redeems it. */
  const coded = async (changes: Record<string, string> = {}) => {
    const [{ client_id }, { verifier, challenge }] = [await app(), proof()]
    const answer = await ada.letIn(asks(client_id, challenge, changes))
    expect(answer.status, answer.text).toBe(201)
    const form = {
      grant_type: 'authorization_code',
      code: codeIn(answer),
      code_verifier: verifier,
      client_id,
      redirect_uri: changes.redirect_uri ?? callback,
    }
    return { client_id, form }
  }
  const mcp = (token: string, url = world.url) => fetch(mcpRequest(url, token, 'tools/list'))

  describe('a code', () => {
    it('given one that was redeemed, when it comes again, then the tokens it gave are over, and it is logged', async () => {
      const { form } = await coded()
      const first = await world.form('token', form)
      expect(first.status, first.text).toBe(200)
      expect((await mcp(first.body.access_token)).status).toBe(200)
      const again = await world.form('token', form)
      expect([again.status, again.body.error]).toEqual([400, 'invalid_grant'])
      expect((await mcp(first.body.access_token)).status).toBe(401)
      expect(audits('app_token_reused').at(-1)).toMatchObject({ person: ada.id })
      expect(lines.join()).not.toContain(form.code)
    })

    it('given a wrong verifier, app, address or resource, then it is worth nothing, also with the right ones after', async () => {
      const other = await app()
      for (const wrong of [
        { code_verifier: proof().verifier },
        { client_id: other.client_id },
        { redirect_uri: 'http://localhost:33419/callback' },
        { resource: 'https://elsewhere.example/mcp' },
      ]) {
        const { form } = await coded()
        for (const given of [{ ...form, ...wrong }, form]) {
          const refused = await world.form('token', given)
          expect([refused.status, refused.body.error], JSON.stringify(wrong)).toEqual([400, 'invalid_grant'])
        }
      }
    })

    it('given one of more than a minute ago, then it is over', async () => {
      const { form } = await coded()
      const { database } = world.services
      const [grant] = await database.query<{ seconds: number }>(
        `update oauth_grants set ends_at = ends_at - interval '61 seconds' where redeemed_at is null
        returning extract(epoch from ends_at + interval '61 seconds' - created_at)::float as seconds`,
      )
      expect(grant?.seconds).toBeLessThanOrEqual(61)
      expect((await world.form('token', form)).body.error).toBe('invalid_grant')
    })

    it('given the same code twice at once, then at most one of them gets tokens', async () => {
      const { form } = await coded()
      const answers = await Promise.all([1, 2, 3].map(() => world.form('token', form)))
      expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
    })

    it('then nothing of it, of tokens and of secrets is stored as it is', async () => {
      const { form } = await coded()
      const { body } = await world.form('token', form)
      const { client_secret = '' } = await app({ token_endpoint_auth_method: 'client_secret_post' })
      const { database } = world.services
      const tables = ['oauth_clients', 'oauth_grants', 'oauth_tokens']
      const stored = JSON.stringify(
        await Promise.all(tables.map((table) => database.query(`select * from ${table}`))),
      )
      const { access_token, refresh_token } = body
      for (const secret of [form.code, form.code_verifier, access_token, refresh_token, client_secret]) {
        expect(secret).toMatch(/\S{40}/)
        expect(stored).not.toContain(secret)
      }
    })
  })

  describe('a request for access', () => {
    it('given a foreign or unregistered redirect, an unknown app, or a field twice, then nothing is granted and nothing leads there', async () => {
      const [{ client_id }, { challenge }] = [await app(), proof()]
      const redirects = [
        ...['https://evil.example/callback', 'http://localhost:33418@evil.example/callback', undefined],
        ...[`${callback}/more`, `${callback}?more`, `\0${callback}`, 'http://localhost:99999/callback'],
        'http://127.0.0.1:33418/callback',
      ]
      for (const asked of [
        ...redirects.map((redirect_uri) => asks(client_id, challenge, { redirect_uri })),
        asks('nothing', challenge),
        asks('\0', challenge),
        `${asks(client_id, challenge)}&redirect_uri=https://evil.example/`,
      ]) {
        const refused = await ada.letIn(asked)
        expect(refused.status, asked).toBe(400)
        expect(refused.text).not.toContain('evil.example')
      }
      // given an app on the internet, then its address is the one it registered, with its port
      const hosted = 'https://app.example/callback'
      const { client_id: id } = await app({ redirect_uris: [hosted] })
      for (const redirect_uri of [
        'https://evil.example/callback',
        'https://app.example:444/callback',
        'https://app.example/callback/',
        'https://app.example/Callback',
        'http://app.example/callback',
      ])
        expect((await ada.letIn(asks(id, challenge, { redirect_uri }))).status, redirect_uri).toBe(400)
      expect((await ada.letIn(asks(id, challenge, { redirect_uri: hosted }))).status).toBe(201)
    })

    it('given an app on the person’s machine, then its port may be another one each time', async () => {
      const { form } = await coded({ redirect_uri: 'http://localhost:50123/callback' })
      expect((await world.form('token', form)).status).toBe(200)
    })

    it('given plain PKCE, none, another resource, scopes of nobody, or another answer than a code, then it is refused', async () => {
      const [{ client_id }, { verifier, challenge }] = [await app(), proof()]
      for (const changes of [
        { code_challenge_method: 'plain', code_challenge: verifier },
        { code_challenge_method: undefined },
        ...[{ code_challenge: undefined, code_challenge_method: undefined }, { code_challenge: 'short' }],
        ...[{ resource: 'https://elsewhere.example/mcp' }, { resource: `${world.origin}/v1` }],
        ...[{ scope: 'admin' }, { response_type: 'token' }, { state: 'x'.repeat(3000) }],
      ]) {
        const refused = await ada.letIn(asks(client_id, challenge, changes), { scopes: ['read'] })
        expect([refused.status, refused.body.code], JSON.stringify(changes)).toEqual([400, 'invalid'])
      }
      const scopes = ['read', 'write']
      expect((await ada.letIn(asks(client_id, challenge, { scope: 'read' }), { scopes })).status).toBe(400)
    })

    it('given a guest, nobody, a key, another person than the page has shown, or a page of another site, then nothing is granted', async () => {
      const [{ client_id }, { challenge }] = [await app(), proof()]
      const asked = asks(client_id, challenge)
      const guest = await (await world.someone('guest')).letIn(asked)
      expect([guest.status, guest.body.code]).toEqual([403, 'account_needed'])
      const other = await ada.letIn(asked, { person: (await world.someone()).id })
      expect([other.status, other.body.code]).toEqual([409, 'other_person'])
      const foreign = await ada.letIn(asked, { origin: 'https://evil.example' })
      expect([foreign.status, foreign.body.code]).toEqual([403, 'wrong_origin'])

      const post = (headers: Record<string, string>) =>
        fetch(`${world.origin}/api/oauth/grants`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify({ query: asked.split('?')[1], person: ada.id, scopes: ['read'] }),
        })
      expect((await post({})).status).toBe(401)
      const made = await world.services.apiKeys.create(ada.id, { id: `key-${name}`, name: 'script' })
      const key = made?.made ? made.key : ''
      expect((await post({ authorization: `Bearer ${key}` })).status).toBe(403)
      const granted = 'select 1 from oauth_grants where client_id = $1'
      expect(await world.services.database.query(granted, [client_id])).toEqual([])
    })
  })

  describe('a token', () => {
    const tokens = async () => {
      const { client_id, form } = await coded()
      const { body } = await world.form('token', form)
      return { client_id, ...(body as { access_token: string; refresh_token: string }) }
    }

    it('then it is good at /mcp of the address it was made for, and nowhere else', async () => {
      const { access_token: token, refresh_token: refresh } = await tokens()
      expect((await mcp(token)).status).toBe(200)
      expect((await mcp(refresh)).status).toBe(401)
      expect((await mcp('ro_')).status).toBe(401)
      // the same server by another name
      const elsewhereUrl = new URL(world.url)
      elsewhereUrl.hostname = world.url.hostname === 'localhost' ? '127.0.0.1' : 'localhost'
      expect((await mcp(token, elsewhereUrl)).status).toBe(401)
      const grantsBy = (authorization: string) =>
        fetch(`${world.origin}/api/oauth/grants`, { headers: { authorization } })
      const [elsewhere, wrongKey] = [await grantsBy(`Bearer ${token}`), await grantsBy('Bearer rk_wrong')]
      expect([elsewhere.status, await elsewhere.text()]).toEqual([401, await wrongKey.text()])
    })

    it('given a refresh for more than was granted, another resource or by another app, then it is refused and stays good', async () => {
      const { client_id, form } = await coded({ scope: 'read' })
      const { body } = await world.form('token', form)
      const refresh = (changes: Record<string, string> = {}) =>
        world.form('token', {
          grant_type: 'refresh_token',
          refresh_token: body.refresh_token,
          client_id,
          ...changes,
        })
      expect((await refresh({ scope: 'read write' })).body.error).toBe('invalid_scope')
      expect((await refresh({ resource: 'https://elsewhere.example/mcp' })).body.error).toBe('invalid_target')
      expect((await refresh({ client_id: (await app()).client_id })).body.error).toBe('invalid_grant')
      expect((await refresh({ client_id: 'nobody' })).body.error).toBe('invalid_client')
      const renewed = await refresh({ resource: `${world.origin}/mcp` })
      expect([renewed.status, renewed.body.scope]).toEqual([200, 'read'])
      expect((await mcp(renewed.body.access_token)).status).toBe(200)
    })

    it('given a refresh token whose 30 days are over, then it is refused', async () => {
      const { client_id, refresh_token } = await tokens()
      await world.services.database.query(
        `update oauth_tokens set until = until - interval '30 days 1 minute' where kind = 'refresh' and spent_at is null`,
      )
      const form = { grant_type: 'refresh_token', refresh_token, client_id }
      expect((await world.form('token', form)).body.error).toBe('invalid_grant')
    })
  })

  it('given an app with a secret, then a wrong one, none, or one in the other way is refused in one body', async () => {
    const { client_id, client_secret = '' } = await app({ token_endpoint_auth_method: 'client_secret_post' })
    const form = { grant_type: 'refresh_token', refresh_token: 'rr_x' }
    const basic = `Basic ${btoa(`${client_id}:${client_secret}`)}`
    const refused = [
      await world.form('token', { ...form, client_id }),
      await world.form('token', { ...form, client_id, client_secret: 'rs_wrong' }),
      await world.form('token', form, { authorization: basic }),
      await world.form('token', { ...form, client_id: 'nothing', client_secret }),
    ]
    for (const { status, text } of refused) expect([status, text]).toEqual([401, refused[0]?.text])
    const known = await world.form('token', { ...form, client_id, client_secret })
    expect(known.body.error).toBe('invalid_grant')
  })

  it('given forms that are none, then they are refused in the form of OAuth', async () => {
    const { client_id } = await app()
    const send = (body: string, type = 'application/x-www-form-urlencoded') =>
      fetch(`${world.origin}/api/oauth/token`, { method: 'POST', body, headers: { 'content-type': type } })
    for (const [body, type, status] of [
      ['{}', 'application/json', 415],
      [`x=${'y'.repeat(20_000)}`, undefined, 413],
      [`client_id=${client_id}&client_id=${client_id}`, undefined, 400],
      [`client_id=${client_id}&grant_type=refresh_token&refresh_token=%00`, undefined, 400],
      [`client_id=${client_id}&grant_type=password`, undefined, 400],
      [`client_id=${client_id}&grant_type=authorization_code`, undefined, 400],
      ['', undefined, 401],
    ] as const) {
      const refused = await send(body, type)
      expect(refused.status, body.slice(0, 80)).toBe(status)
      const told = { error: expect.any(String), error_description: expect.any(String) }
      expect(await refused.json()).toEqual(told)
      expect(refused.headers.get('cache-control')).toBe('no-store')
    }
  })

  it('given addresses behind which is no app, a name that hides, or other ways of OAuth, then it is not registered', async () => {
    for (const uri of [
      ...['javascript:alert(1)', 'data:text/html,x', 'http://elsewhere.example/callback'],
      ...['https://user:secret@elsewhere.example/', 'https://elsewhere.example/#x', 'file:///etc/passwd'],
      ...['ms-msdt:/id', 'not an address', `https://elsewhere.example/${'x'.repeat(600)}`],
    ]) {
      const refused = await world.register({ redirect_uris: [callback, uri] })
      expect([refused.status, refused.body.error], uri).toEqual([400, 'invalid_redirect_uri'])
    }
    for (const metadata of [
      { redirect_uris: [] },
      { redirect_uris: Array(11).fill(callback) },
      { redirect_uris: [callback], grant_types: ['client_credentials'] },
      { redirect_uris: [callback], response_types: ['token'] },
      { redirect_uris: [callback], token_endpoint_auth_method: 'private_key_jwt' },
      {},
    ])
      expect((await world.register(metadata)).status, JSON.stringify(metadata)).toBe(400)
    const named = await world.register({ redirect_uris: [callback], client_name: '\u202eGood\u200b app\n' })
    expect(named.body.client_name).toBe('Good app')
    for (const uri of [
      'cursor://anysphere.cursor-retrieval/oauth/callback',
      'https://claude.ai/api/mcp/auth_callback',
    ])
      expect((await world.register({ redirect_uris: [uri] })).status, uri).toBe(201)
  })

  it('given more than 20 apps from one address in an hour, then it waits, and others do not', async () => {
    const from = (address: string) =>
      world.register({ redirect_uris: [callback] }, { 'x-test-address': address })
    for (let at = 0; at < 20; at++) expect((await from('10.9.9.9')).status).toBe(201)
    const refused = await from('10.9.9.9')
    expect([refused.status, refused.body.error]).toEqual([429, 'too_many_requests'])
    expect((await from('10.9.9.8')).status).toBe(201)
  })

  it('given a page of another site, then it may ask where and how, and register, and reads nothing of a person', async () => {
    for (const path of [
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-protected-resource/mcp',
      '/.well-known/oauth-authorization-server',
    ]) {
      const answer = await fetch(`${world.origin}${path}`, { headers: { origin: 'https://app.example' } })
      expect([answer.status, answer.headers.get('access-control-allow-origin')], path).toEqual([200, '*'])
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    }
    const preflight = await fetch(`${world.origin}/api/oauth/token`, { method: 'OPTIONS' })
    expect(preflight.headers.get('access-control-allow-methods')).toContain('POST')
    const apps = await fetch(`${world.origin}/api/oauth/grants`, {
      headers: { cookie: ada.browser.cookie, origin: 'https://app.example' },
    })
    expect(apps.headers.get('access-control-allow-origin')).toBeNull()
  })
})
