import { createServer } from 'node:http'
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { expect, it } from 'vitest'
import { close, listen } from '@/testing/machines/listen'
import { mcpRequest } from '@/testing/worlds/mcp-world'
import { type App, codeIn, openOAuthWorld, type Person } from '@/testing/worlds/oauth-world'
import { onOneDatabase } from '@/testing/worlds/open-stores'
import { useWorld } from '@/testing/worlds/use-world'

onOneDatabase('an app that asks for access by OAuth', ({ name }) => {
  const { world, audits } = useWorld(() => openOAuthWorld(name))

  /** Does what a person and an app do, from the first refusal to the tokens. */
  const connect = async (app: App, person: Person, scopes?: string[]) => {
    await expect(app.connect()).rejects.toThrow(UnauthorizedError)
    const answer = await person.letIn(app.asked as URL, scopes ? { scopes } : {})
    expect(answer.status, answer.text).toBe(201)
    await app.transport().finishAuth(codeIn(answer))
    return { client: await app.connect(), answer }
  }
  const ask = (token: string) => fetch(mcpRequest(world.url, token, 'tools/list'))
  const grantOf = async (person: Person) => (await person.apps()).body.apps[0]
  const toolsOf = async (client: Awaited<ReturnType<App['connect']>>) =>
    (await client.listTools()).tools.map((tool) => tool.name)

  it('given nothing but the address, then the client finds out, registers, sends the person to the consent, and works on the person’s chats', async () => {
    const [app, ada] = [world.app(), await world.someone()]
    const { client, answer } = await connect(app, ada)
    const asked = app.asked as URL
    expect(`${asked.origin}${asked.pathname}`).toBe(`${world.origin}/oauth/authorize`)
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      resource: `${world.origin}/mcp`,
      scope: 'read write',
      code_challenge_method: 'S256',
      redirect_uri: app.redirectUrl,
      state: 'state-of-the-app',
    })
    const told = new URL(answer.body.redirect_to)
    expect(`${told.origin}${told.pathname}`).toBe(app.redirectUrl)
    expect(told.searchParams.get('state')).toBe('state-of-the-app')
    expect(told.searchParams.get('iss')).toBe(world.origin)
    expect(app.held).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'read write' })

    expect(await toolsOf(client)).toEqual(expect.arrayContaining(['list_chats', 'send_message', 'merge']))
    const sent = await client.callTool({ name: 'send_message', arguments: { text: 'By an app.' } })
    expect(sent.isError ?? false).toBe(false)
    const listed = await client.callTool({ name: 'list_chats', arguments: {} })
    expect((listed.structuredContent as { chats: unknown[] }).chats).toHaveLength(1)
    expect(await grantOf(ada)).toEqual({
      id: expect.any(String),
      name: 'My agent',
      place: 'this computer',
      scopes: ['read', 'write'],
      connected_at: expect.any(String),
      last_used_at: expect.any(String),
    })
    expect(audits('app_connected').at(-1)).toMatchObject({
      person: ada.id,
      name: 'My agent',
      scopes: 'read write',
      to: 'localhost:33418',
    })
  })

  it('given an app with a secret, in the header or in the form, then it is let in alike', async () => {
    for (const token_endpoint_auth_method of ['client_secret_basic', 'client_secret_post']) {
      const app = world.app({ token_endpoint_auth_method })
      const { client } = await connect(app, await world.someone())
      expect(app.client).toMatchObject({ client_secret: expect.stringMatching(/^rs_/) })
      expect(await toolsOf(client)).toContain('merge')
    }
  })

  it('given an app that names addresses of its own, when it registers, is let in and works, then none of them is asked', async () => {
    let asked = 0
    const server = createServer((_, response) => response.writeHead(200, void asked++).end('{}'))
    const own = `http://127.0.0.1:${await listen(server)}`
    const app = world.app({
      client_uri: own,
      logo_uri: `${own}/logo.png`,
      tos_uri: `${own}/terms`,
      policy_uri: `${own}/privacy`,
      jwks_uri: `${own}/keys.json`,
      redirect_uris: [`${own}/callback`],
    })
    const { client } = await connect(app, await world.someone())
    expect(await toolsOf(client)).toContain('merge')
    // an address in place of a registered app is none
    const unknown = new URL(app.asked as URL)
    unknown.searchParams.set('client_id', `${own}/client.json`)
    expect((await (await world.someone()).letIn(unknown)).status).toBe(400)
    expect(asked).toBe(0)
    await close(server)
  })

  it('given a person who lets it read alone, then writing is neither offered nor done', async () => {
    const [app, ada] = [world.app(), await world.someone()]
    const { client } = await connect(app, ada, ['read'])
    expect(app.held?.scope).toBe('read')
    expect(await toolsOf(client)).not.toContain('send_message')
    const refused = await client.callTool({ name: 'send_message', arguments: { text: 'No.' } })
    expect(refused.isError).toBe(true)
    expect(JSON.stringify(refused.content)).toContain('This app may only read.')
    const listed = await client.callTool({ name: 'list_chats', arguments: {} })
    expect((listed.structuredContent as { chats: unknown[] }).chats).toEqual([])
  })

  it('given an access token that has expired, then the client gets the next ones by itself, and the spent refresh token ends all of them when it comes again', async () => {
    const [app, ada] = [world.app(), await world.someone()]
    const { client } = await connect(app, ada)
    const before = app.held
    const expire = `update oauth_tokens set until = now() - interval '1 second' where kind = 'access'
      and grant_id in (select id from oauth_grants where user_id = $1)`
    await world.services.database.query(expire, [ada.id])
    expect(await toolsOf(client)).toContain('merge')
    expect(app.held?.access_token).not.toBe(before?.access_token)
    expect(app.held?.refresh_token).not.toBe(before?.refresh_token)

    const { client_id = '' } = app.client ?? {}
    const form = { grant_type: 'refresh_token', refresh_token: before?.refresh_token ?? '', client_id }
    const again = () => world.form('token', form)
    const { database } = world.services
    const set = (ago: string) => `update oauth_tokens set spent_at = now() - interval '${ago}'`
    const spent = (ago: string) => database.query(`${set(ago)} where spent_at is not null`)
    // given the same app, which asked twice at once
    await spent('-1 minute')
    expect((await again()).body.error).toBe('invalid_grant')
    expect(await toolsOf(client)).toContain('merge')
    // given a thief, who comes later
    await spent('11 seconds')
    expect((await again()).body.error).toBe('invalid_grant')
    await expect(client.listTools()).rejects.toThrow(UnauthorizedError)
    expect((await ada.apps()).body.apps).toEqual([])
    expect(audits('app_token_reused').at(-1)).toMatchObject({ person: ada.id })
  })

  it('given tokens that the app gives back, then they are worth nothing, whichever it named', async () => {
    for (const which of ['access_token', 'refresh_token'] as const) {
      const [app, ada] = [world.app(), await world.someone()]
      await connect(app, ada)
      const { access_token: access, refresh_token: refresh = '' } = app.held ?? { access_token: '' }
      const client_id = app.client?.client_id ?? ''
      // given another app that has the token
      const other = (await world.register(world.app().clientMetadata)).body.client_id
      const foreign = await world.form('revoke', { token: app.held?.[which] ?? '', client_id: other })
      expect([foreign.status, foreign.body]).toEqual([200, {}])
      expect((await ada.apps()).body.apps).toHaveLength(1)

      expect((await world.form('revoke', { token: app.held?.[which] ?? '', client_id })).status).toBe(200)
      expect((await world.form('revoke', { token: 'rr_nothing', client_id })).status).toBe(200)
      expect((await ask(access)).status).toBe(401)
      const form = { grant_type: 'refresh_token', refresh_token: refresh, client_id }
      const renewed = await world.form('token', form)
      expect([renewed.status, renewed.body?.error], renewed.text).toEqual([400, 'invalid_grant'])
      expect((await ada.apps()).body.apps).toEqual([])
    }
  })

  it('given a person who disconnects it, then its tokens end at once, and so does a stream that it reads', async () => {
    const [app, ada] = [world.app(), await world.someone()]
    await connect(app, ada)
    const grant = await grantOf(ada)
    let ended = 0
    const { streams } = world.services
    const credential = { kind: 'app', id: grant.id } as const
    const reader = { personId: ada.id, credential, address: 'elsewhere' }
    const leave = streams.enter(reader, () => void ended++)
    await streams.endRevoked()
    expect(ended).toBe(0)

    // given another person, who knows its id
    const eve = await world.someone()
    const [foreign, missing] = [await eve.disconnect(grant.id), await eve.disconnect('nothing')]
    expect([foreign.status, foreign.text]).toEqual([404, missing.text])
    expect((await ask(app.held?.access_token ?? '')).status).toBe(200)

    expect((await ada.disconnect(grant.id)).status).toBe(204)
    expect(ended).toBe(1)
    leave()
    const refused = await ask(app.held?.access_token ?? '')
    const wrong = await ask('ro_never')
    expect(refused.status).toBe(401)
    expect(await refused.text()).toBe(await wrong.text())
    expect(refused.headers.get('www-authenticate')).toBe(
      `Bearer realm="Ramify", error="invalid_token", resource_metadata="${world.origin}/.well-known/oauth-protected-resource/mcp", scope="read write"`,
    )
    // given the client, then it begins anew
    await expect(app.connect()).rejects.toThrow(UnauthorizedError)
  })

  it('given two persons with the same app, then each token reads its own person’s chats', async () => {
    const app = world.app()
    const [ada, bob] = [await world.someone(), await world.someone()]
    const { client } = await connect(app, ada)
    await client.callTool({ name: 'send_message', arguments: { text: 'Secret of Ada.' } })
    app.held = undefined
    const { client: ofBob } = await connect(app, bob)
    const found = await ofBob.callTool({ name: 'search', arguments: { query: 'Secret' } })
    expect((found.structuredContent as { hits: unknown[] }).hits).toEqual([])
    expect((await ada.apps()).body.apps[0].id).not.toBe((await bob.apps()).body.apps[0].id)
  })

  it('given what is over, then it is forgotten; what is in use stays', async () => {
    const [app, ada] = [world.app(), await world.someone()]
    await connect(app, ada)
    const unused = (await world.register(world.app().clientMetadata)).body.client_id
    const { database, apps } = world.services
    await database.query(`update oauth_clients set created_at = now() - interval '4 days'`)
    await apps.forgetOld()
    expect(await apps.find(unused)).toBeUndefined()
    expect(await apps.find(app.client?.client_id ?? '')).toBeDefined()
    expect((await ask(app.held?.access_token ?? '')).status).toBe(200)
    const over = `update oauth_grants set ends_at = now() - interval '1 second' where user_id = $1`
    await database.query(over, [ada.id])
    await apps.forgetOld()
    expect((await ask(app.held?.access_token ?? '')).status).toBe(401)
  })
})
