import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { css, expectCount } from '@/testing/page/chat-page'
import { onPhone, openChat, openPage, openSample, turns } from '@/testing/page/given'
import { type Control, controlsInSight } from '@/testing/page/sight'

// How much meets the eye before anything is pointed at: what can be pressed, followed or filled in.

/** A chat as most are: three turns on one branch. */
const openOrdinary = () =>
  openChat({
    branches: [
      { name: 'main', says: turns('I have three days in Lisbon', 'I hate stairs', 'Is Sintra worth it?') },
    ],
  })

const names = (controls: readonly Control[]) => controls.map(({ name }) => name)
const withoutWords = (controls: readonly Control[]) => controls.filter(({ words }) => words === '')
/** Controls without the graph's rows: a row is a message or a branch, and the graph has as many as the chat. */
const besideRows = () => controlsInSight().filter(({ isRow }) => !isRow)

/** Waits until so much is in sight as the page shows once it is there, with the pointer in a corner. */
async function settled(): Promise<void> {
  await page.elementLocator(document.body).hover({ position: { x: 1, y: 1 } })
  let before = -1
  await expect
    .poll(
      () => {
        const now = controlsInSight().length
        const isSame = now === before
        before = now
        return isSame
      },
      { interval: 300 },
    )
    .toBe(true)
}

describe('in a wide window', () => {
  test('the start page has 18 controls at most', async () => {
    await page.viewport(1440, 900)
    const chat = await openPage('/')
    await expect.element(chat.box).toBeVisible()
    await settled()
    expect(names(controlsInSight()).length, names(controlsInSight()).join('\n')).toBeLessThanOrEqual(18)
  })

  test.each([
    ['the sample', openSample, 10],
    ['a chat of three turns', openOrdinary, 6],
  ] as const)('%s has 40 controls at most besides its rows, and 8 without words', async (_, open, count) => {
    await page.viewport(1440, 900)
    const chat = await open()
    await expectCount(chat.messages, count)
    await expect.element(chat.here).toBeVisible()
    await expect.element(css('[data-message-actions] button').last()).toBeVisible()
    await settled()
    const controls = besideRows()
    expect(controls.length, names(controls).join('\n')).toBeLessThanOrEqual(40)
    const icons = withoutWords(controls)
    expect(icons.length, names(icons).join('\n')).toBeLessThanOrEqual(8)
  })

  test('the words of the first screen are there: Ask, Try again, Branch, Share, History', async () => {
    await page.viewport(1440, 900)
    await openOrdinary()
    await settled()
    expect(controlsInSight().map(({ words }) => words)).toEqual(
      expect.arrayContaining(['Ask', 'Copy', 'Try again', 'Branch', 'Share', 'History']),
    )
  })
})

test.each([
  ['the sample', openSample],
  ['a chat of three turns', openOrdinary],
] as const)('on a phone, %s has 20 controls at most', async (_, open) => {
  await onPhone()
  const chat = await open()
  await expect.element(chat.lastReply()).toBeVisible()
  await settled()
  expect(controlsInSight().length, names(controlsInSight()).join('\n')).toBeLessThanOrEqual(20)
})
