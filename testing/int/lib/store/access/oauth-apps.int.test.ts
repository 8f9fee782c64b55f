import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { OAuthApps } from '@/lib/store'
import { heldTransaction, untilEndedOrWaiting } from '@/testing/worlds/held-transaction'
import { onOneDatabase, onPostgres, openedStore } from '@/testing/worlds/open-stores'

onPostgres('apps that ask for access', () => {
  const opened = openedStore()

  it('given a refresh token that is over, when it is forgotten while an exchange of it waits, then nothing is given for it', async () => {
    const { database } = opened.store
    const apps = new OAuthApps(database)
    const person = await opened.person()
    const redirectUri = 'http://localhost/'
    const app = { name: 'app', redirectUris: [redirectUri], authMethod: 'none' as const }
    const { id: clientId } = await apps.register(app)
    const verifier = 'v'.repeat(43)
    const codeChallenge = createHash('sha256').update(verifier).digest('base64url')
    const resource = 'http://localhost/mcp'
    const asked = { clientId, redirectUri, resource, codeChallenge, scopes: ['read' as const] }
    const made = await apps.grant(person, asked, 10)
    const redeemed = await apps.redeem(made?.made ? made.code : '', { clientId, redirectUri, verifier })
    if (!redeemed || !('issued' in redeemed)) throw new Error('no tokens for the code')
    await database.query(`update oauth_tokens set until = now() - interval '1 second' where kind = 'refresh'`)

    const letGo = await heldTransaction(database, (tx) =>
      tx.execute(sql`select 1 from oauth_grants for update`),
    )
    const exchange = apps.rotate(redeemed.issued.refresh, { clientId })
    await untilEndedOrWaiting(database, exchange)
    expect(await apps.forgetOld()).toBe(1)
    await letGo()
    expect(await exchange).toBeUndefined()
  })
})

onOneDatabase('apps that are registered', ({ open }) => {
  const opened = openedStore(open)

  it.each([
    { by: 'nobody', approved: null, registered: 2, gone: false },
    { by: 'nobody', approved: null, registered: 4, gone: true },
    { by: 'a person who disconnected it', approved: 89, registered: 200, gone: false },
    { by: 'a person who disconnected it', approved: 91, registered: 200, gone: true },
  ])(
    'given an app that was let in by $by, $registered days old and last let in $approved days ago, then it is forgotten: $gone',
    async ({ approved, registered, gone }) => {
      const { database } = opened.store
      const apps = new OAuthApps(database)
      const redirectUris = ['http://localhost/']
      const { id } = await apps.register({ name: 'app', redirectUris, authMethod: 'none' })
      await database.query(
        `update oauth_clients set created_at = now() - $2 * interval '1 day', approved_at = now() - $3 * interval '1 day'
        where id = $1`,
        [id, registered, approved],
      )
      await apps.forgetOld()
      const left = await database.query('select 1 from oauth_clients where id = $1', [id])
      expect(left).toHaveLength(gone ? 0 : 1)
    },
  )
})
