import { expect, it } from 'vitest'
import { handleAuth } from '@/lib/server/api/access'
import { useApi } from '@/testing/worlds/api-world'
import { behindFront } from '@/testing/worlds/framework'
import { Browser } from '@/testing/worlds/identity-world'
import { onOneDatabase } from '@/testing/worlds/open-stores'

behindFront()

onOneDatabase('cookies over https', ({ name }) => {
  const origin = 'https://chat.example.org'
  const api = useApi(name, { BETTER_AUTH_URL: origin })
  const browser = () => new Browser(handleAuth, origin)
  const NAME = '__Host-better-auth.session_token'
  const FORMER = '__Secure-better-auth.session_token'

  it('then belong to this host alone, and scripts cannot read them', async () => {
    const ada = browser()
    const { setCookies } = await ada.post('sign-in/anonymous')
    expect(setCookies).toHaveLength(1)
    expect(setCookies[0]).toMatch(/^__Host-better-auth\.session_token=/)
    expect(setCookies[0]).toMatch(/; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
    expect(setCookies[0]).not.toMatch(/domain/i)
    expect((await ada.get('get-session')).body.user.isAnonymous).toBe(true)
  })

  it('given a session from before, when its former cookie comes, then it is known, and gets the new cookie', async () => {
    const ada = browser()
    await ada.post('sign-in/anonymous')
    const person = (await ada.get('get-session')).body.user.id
    const former = "update session set former_cookie = true, expires_at = now() + interval '29 days'"
    await api.query(`${former} where user_id = $1`, person)
    ada.cookies.set(FORMER, ada.cookies.get(NAME) ?? '')
    ada.cookies.delete(NAME)
    expect((await ada.get('get-session')).body.user.id).toBe(person)
    expect(ada.cookies.has(NAME)).toBe(true)
  })

  it('given a session made since, when a subdomain sets it under the former name, then it is no session', async () => {
    const eve = browser()
    await eve.post('sign-in/anonymous')
    const ada = browser()
    ada.cookies.set(FORMER, eve.cookies.get(NAME) ?? '')
    expect((await ada.get('get-session')).text).toBe('null')
  })
})
