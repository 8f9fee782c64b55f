import { createHash, randomBytes } from 'node:crypto'
import type { APIRequestContext, Page } from '@playwright/test'
import { hydrated } from '../support/chat-page'
import { lookInAllWays } from '../support/screens'
import { expect, test, watchErrors } from '../support/test'

// An app asks a person for access: the page of consent, and the list of connected apps.

const callback = 'http://localhost:33418/callback'
const password = 'correct horse battery staple'
let people = 0

/** An app that has registered, the page it sends a person to, and the form that redeems its code. */
async function anApp(request: APIRequestContext, changes: Record<string, string> = {}) {
  const registered = await request.post('/api/oauth/register', {
    data: { client_name: 'Fishmonger', redirect_uris: [callback], token_endpoint_auth_method: 'none' },
  })
  expect(registered.status()).toBe(201)
  const { client_id } = (await registered.json()) as { client_id: string }
  const code_verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri: callback,
    state: 'a*b c',
    code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...changes,
  })
  const form = { grant_type: 'authorization_code', client_id, redirect_uri: callback, code_verifier }
  return { asks: `/oauth/authorize?${query}`, form }
}

/** Given an account that is signed in, by the API: the browser has its cookie. */
async function given(page: Page) {
  const data = { email: `oauth-${Date.now()}-${++people}@example.org`, password }
  await page.request.post('/api/auth/sign-up/email', { data: { ...data, name: 'Ada Lovelace' } })
  await page.request.post('/api/auth/sign-in/email', { data })
}

/** What the app is told, in place of the app. */
async function toldBy(page: Page): Promise<() => URL> {
  let told = new URL('about:blank')
  await page.route(`${callback}*`, (route) => {
    told = new URL(route.request().url())
    expect(route.request().headers().referer).toBeUndefined()
    return route.fulfill({ contentType: 'text/html', body: '<h1>Back in the app</h1>' })
  })
  return () => told
}

test('a person signs in on the way, lets an app read by the keyboard alone, finds it in the settings and disconnects it', async ({
  page,
  request,
}) => {
  const errors = watchErrors(page)
  const { asks, form } = await anApp(request)
  const told = await toldBy(page)
  // given nobody who is signed in, then the question waits
  const opened = await page.goto(asks)
  expect(opened?.headers()['content-security-policy']).toContain("frame-ancestors 'none'")
  expect(opened?.headers()['x-frame-options']).toBe('DENY')
  await expect(page.getByRole('heading', { name: 'Fishmonger asks for access to your chats' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Allow' })).toBeHidden()
  const signUp = page.getByRole('button', { name: 'Sign up' })
  await hydrated(signUp)
  await signUp.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Ada Lovelace')
  await dialog.getByLabel('E-mail address').fill(`oauth-${Date.now()}-${++people}@example.org`)
  await dialog.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')

  const reads = page.getByRole('radio', { name: /^Read only/ })
  await hydrated(reads)
  await expect(page.getByText('Ada Lovelace')).toBeVisible()
  await page.getByRole('radio', { name: /^Read and write/ }).focus()
  await page.keyboard.press('ArrowDown')
  await expect(reads).toBeChecked()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Allow' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Back in the app' })).toBeVisible()
  expect(told().searchParams.get('state')).toBe('a*b c')

  const code = told().searchParams.get('code') ?? ''
  const tokens = await request.post('/api/oauth/token', { form: { ...form, code } })
  const { access_token, scope } = await tokens.json()
  expect(scope).toBe('read')
  const ask = () =>
    request.post('/mcp', {
      headers: { authorization: `Bearer ${access_token}`, accept: 'application/json, text/event-stream' },
      data: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
    })
  expect((await ask()).status()).toBe(200)

  await page.goto('/settings/keys')
  const app = page.getByRole('list', { name: 'Connected apps' }).getByRole('listitem')
  await expect(app).toContainText('Fishmonger')
  await expect(app).toContainText('this computer · reads only · since')
  await lookInAllWays(page, 'connected-apps')
  await app.getByRole('button', { name: 'Disconnect Fishmonger' }).click()
  await expect(page.getByText('Fishmonger is disconnected.')).toBeVisible()
  expect((await ask()).status()).toBe(401)
  expect(errors).toEqual([])
})

test('a guest cannot allow an app; a person who refuses leads back to it, and it is told; a request that is not right leads nowhere by itself', async ({
  page,
  request,
}) => {
  const told = await toldBy(page)
  const { asks } = await anApp(request)
  await page.request.post('/api/auth/sign-in/anonymous', { data: {} })
  await page.goto(asks)
  await expect(page.getByText('a guest cannot connect an app')).toBeVisible()
  await lookInAllWays(page, 'consent-guest')
  await given(page)
  await page.goto(asks)
  await expect(page.getByRole('button', { name: 'Allow' })).toBeVisible()
  await lookInAllWays(page, 'consent')
  await page.getByRole('link', { name: 'Cancel' }).click()
  await expect(page.getByRole('heading', { name: 'Back in the app' })).toBeVisible()
  expect(told().searchParams.get('error')).toBe('access_denied')

  const plain = await anApp(request, { code_challenge_method: 'plain' })
  await page.goto(plain.asks)
  await expect(page.getByRole('main').getByRole('alert')).toHaveText('This server asks for PKCE with S256.')
  await expect(page.getByRole('link', { name: 'Back to this computer' })).toHaveAttribute(
    'href',
    /^http:\/\/localhost:33418\/callback\?error=invalid_request&/,
  )
  const foreign = await anApp(request, { redirect_uri: 'https://evil.example/callback' })
  await page.goto(foreign.asks)
  await expect(page.getByRole('main').getByRole('alert')).toContainText(
    'an address that it has not registered',
  )
  expect(await page.content()).not.toContain('href="https://evil.example')
  await page.goto('/oauth/authorize?client_id=nothing')
  await expect(page.getByRole('main').getByRole('alert')).toBeVisible()
  await lookInAllWays(page, 'consent-broken')
})
