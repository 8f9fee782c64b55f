import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import type { ChatPage } from '../support/chat-page'
import { seedTurns } from '../support/openings'
import { expect, test } from '../support/test'

/** Two branches with a checkpoint, in a chat whose title and words are like markup. */
async function fork(chat: ChatPage, page: Page): Promise<void> {
  const id = await seedTurns(chat, ['repeat: </svg><script>1 & 2', 'what is 2+2'])
  await chat.open(`/c/${id}`)
  await chat.draw('Map')
  await chat.node('You: what is 2+2').focus()
  await page.keyboard.press('c')
  await page.keyboard.type('a <b>')
  await page.keyboard.press('Enter')
  await expect(chat.graph.getByRole('button', { name: 'Restore a <b>' })).toBeVisible()
  await chat.act('You: what is 2+2', 'Branch from here')
  await expect(page).toHaveURL(/branch=main-v2/)
}

const nameIs = /^repeat-svg-script-1-2-graph\./

test('the graph is saved as a drawing that any program can read', async ({ chat, page, context }) => {
  await fork(chat, page)
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save picture' }).click()
  await page.getByRole('menuitem', { name: 'Save as SVG' }).click()
  const download = await saved
  expect(download.suggestedFilename()).toMatch(nameIs)
  const svg = readFileSync(await download.path(), 'utf8')
  // then it is well-formed, needs nothing else, and holds every message and name as text
  const read = await page.evaluate((source) => {
    const drawing = new DOMParser().parseFromString(source, 'image/svg+xml')
    return {
      root: drawing.documentElement.localName,
      foreign: [...drawing.querySelectorAll('parsererror, script, image, use, style, foreignObject')].length,
      said: [...drawing.querySelectorAll('text')].map(({ textContent }) => textContent),
    }
  }, svg)
  expect(read).toMatchObject({ root: 'svg', foreign: 0 })
  for (const words of ['You: what is 2+2', '2 + 2 = 4', '⚑ a <b>', 'main', 'new branch · here']) {
    expect(read.said.filter((text) => text === words)).toHaveLength(1)
  }
  // and is drawn
  const other = await context.newPage()
  await other.setContent(
    `<img alt="graph" src="data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}">`,
  )
  await expect(other.getByAltText('graph')).toHaveJSProperty('complete', true)
  expect(
    await other.getByAltText('graph').evaluate((image: HTMLImageElement) => image.naturalWidth),
  ).toBeGreaterThan(300)
})

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, { tag: `@${colorScheme}` }, () => {
    test.use({ colorScheme })

    test('the graph is saved as a picture from the menu of the pane', async ({ chat, page }) => {
      await fork(chat, page)
      const saved = page.waitForEvent('download')
      await chat.graph.locator('.react-flow__pane').click({ button: 'right', position: { x: 300, y: 600 } })
      await page.getByRole('menuitem', { name: 'Save as PNG' }).click()
      const download = await saved
      expect(download.suggestedFilename()).toMatch(nameIs)
      await download.saveAs(`test-results/screens/picture-${colorScheme}.png`)
      const png = readFileSync(await download.path())
      expect(png.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a')
      // its width and height, at twice the size: one column or two of 222, and at least three rows of 62
      const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
      expect(width).toBeGreaterThan(640)
      expect(height).toBeGreaterThan(400)
    })
  })
}
