import type { Page } from '@playwright/test'
import { type Cluster, startCluster } from '@/testing/machines/app-cluster'
import { findPgBouncer } from '@/testing/machines/pgbouncer'
import { ChatPage } from '../support/chat-page'
import { test as base, expect, watchErrors } from '../support/test'

// Three servers over one Postgres, through a pooler in transaction mode. A cookie holds for every port, and so a session
// of one server is a session of the others.

const test = base.extend<object, { cluster: Cluster }>({
  cluster: [
    // biome-ignore lint/correctness/noEmptyPattern: how the test runner wants it
    async ({}, use) => {
      const cluster = await startCluster({
        env: { RAMIFY_DEMO_DELAY_MS: '20', RAMIFY_LEASE_MS: '2000', RAMIFY_RATE_LIMIT: 'off' },
      })
      await use(cluster)
      await cluster.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

test.skip(() => test.info().project.name !== 'postgres', 'a cluster has its own servers: once is enough')
test.skip(findPgBouncer() === null, 'PgBouncer is not installed')

const addressAt = (page: Page, url: string | undefined): string => {
  const { pathname, search } = new URL(page.url())
  return new URL(`${pathname}${search}`, url).href
}

const writing = (chat: ChatPage) => chat.page.locator('article[data-status="streaming"]')

test('a reply asked for at one server is read at a second, resumed at a third and stopped there', async ({
  chat,
  page,
  context,
  cluster,
}) => {
  const [first, second, third] = cluster.urls
  await chat.open(first)
  await chat.ask('I am devansh')
  // given a reply that the first server writes
  await chat.box.fill('count to 1000')
  await chat.box.press('Enter')
  await expect(writing(chat)).toContainText('5')
  // when the chat is opened at the second, then its words arrive there
  const other = new ChatPage(await context.newPage())
  const errors = watchErrors(other.page)
  await other.open(addressAt(page, second))
  await expect(writing(other)).toContainText('20')
  // when that tab goes to the third and stops it
  await other.open(addressAt(page, third))
  await expect(writing(other)).toContainText('40')
  await other.page.getByRole('button', { name: 'Stop', exact: true }).click()
  // then both keep what was written, and it can be gone on from at the second
  for (const tab of [other, chat]) {
    await expect(tab.page.locator('article[data-status="stopped"]')).toHaveCount(1)
    await tab.settled()
  }
  await expect(chat.lastReply()).toContainText('40')
  await other.open(addressAt(page, second))
  await other.ask('what is my name')
  await expect(other.lastReply()).toContainText('devansh')
  await expect(chat.messages).toHaveCount(6)
  expect(errors).toEqual([])
})

test('a reply goes on when the server that writes it dies, and is there once', async ({
  chat,
  page,
  cluster,
}) => {
  const [first, second] = cluster.urls
  await chat.open(first)
  await chat.box.fill('count to 150')
  await chat.box.press('Enter')
  await expect(writing(chat)).toContainText('12')
  // when
  await cluster.kill(0)
  await chat.open(addressAt(page, second))
  // then another server takes it over from the beginning of the reply, and brings it to its end
  await expect(chat.lastReply()).toContainText('150', { timeout: 60_000 })
  await chat.settled()
  await expect(chat.messages).toHaveCount(2)
  expect((await chat.lastReply().innerText()).match(/\b150\b/g)).toHaveLength(1)
  await cluster.restart(0)
  await chat.open(addressAt(page, first))
  await expect(chat.messages).toHaveCount(2)
})
