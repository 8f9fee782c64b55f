import { openForkedChat } from '../support/openings'
import { expect, test } from '../support/test'

test('by keyboard, a message of another branch opens, two heads are compared, and the browser leads back', async ({
  chat,
  page,
}) => {
  await openForkedChat(chat)
  // when arrows walk from the head to the other version of its question, which Enter opens
  await chat.here.focus()
  for (const key of ['ArrowLeft', '[', 'Enter']) await page.keyboard.press(key)
  await chat.reads('main')
  await chat.reload()
  await expect(chat.said('what is 2+2')).toBeVisible()
  // and both heads are picked, and compared
  for (const head of [chat.here, chat.node(/^Assistant: .*6/)]) {
    await head.focus()
    await page.keyboard.press('Space')
  }
  await page.getByRole('group', { name: 'Compare' }).getByRole('link', { name: 'Compare' }).press('Enter')
  await expect(page).toHaveURL(/\/compare\?left=main&right=main-v2$/)
  await expect(page.getByRole('combobox', { name: 'Left branch' })).toHaveText('Main line')
  // then Back leads to the branch that was read
  await page.goBack()
  await chat.reads('main')
  await expect(chat.here).toBeVisible()
})

test('the graph is on the page before its code, where it will be', async ({
  chat,
  page,
  browser,
  baseURL,
}) => {
  await openForkedChat(chat)
  await chat.draw('Outline')
  const card = page
    .locator('.react-flow__node')
    .filter({ has: page.locator('[role=treeitem][aria-current="true"]') })
  // given a browser that runs no script
  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: page.viewportSize(),
    storageState: await page.context().storageState(),
    ...(baseURL && { baseURL }),
  })
  const still = await context.newPage()
  await still.goto(page.url())
  const picture = still.getByRole('status', { name: 'Loading the graph' })
  await expect(picture).toBeVisible()
  await expect(picture.getByText('what is 3+3').first()).toBeVisible()
  // then the head is within a pixel of where the graph draws it when it opens
  await page.reload()
  const pictured = await picture
    .locator('.outline-picture-row')
    .filter({ hasText: '3 + 3 = 6' })
    .last()
    .boundingBox()
  const away = async () => {
    const drawn = await card.boundingBox()
    const sides = (['x', 'y', 'width', 'height'] as const).map((side) =>
      Math.abs((pictured?.[side] ?? 0) - (drawn?.[side] ?? 99)),
    )
    return Math.max(...sides)
  }
  await expect.poll(away).toBeLessThan(1.5)
  await context.close()
})
