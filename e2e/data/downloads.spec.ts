import { readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import type { ChatPage } from '../support/chat-page'
import { seedTurns } from '../support/openings'
import { expectAccessible } from '../support/screens'
import { expect, test } from '../support/test'

// What leaves with a click: a chat as a page or a file, its graph as a drawing or a picture.

/** Opens two branches with a checkpoint, in a chat whose title and words are like markup; returns the chat's id. */
async function openFork(chat: ChatPage): Promise<string> {
  const { page } = chat
  const id = await seedTurns(chat, ['repeat: </svg><script>1 & 2', 'what is 2+2'])
  await chat.open(`/c/${id}`)
  await chat.draw('Map')
  await chat.node('You: what is 2+2').focus()
  await page.keyboard.press('c')
  await page.keyboard.type('a <b>')
  await page.keyboard.press('Enter')
  await expect(chat.graph.getByRole('button', { name: 'Restore a <b>' })).toBeVisible()
  await chat.act('You: what is 2+2', 'Branch from here')
  await chat.reads('main-v2')
  return id
}

/** What the page saves when `act` is done. */
async function saved(page: Page, act: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const downloading = page.waitForEvent('download')
  await act()
  const download = await downloading
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) }
}

test('a chat is exported as a page that shows its graph, and as a file that holds all of it', async ({
  chat,
  page,
  context,
}) => {
  const id = await openFork(chat)
  const dialog = page.getByRole('dialog', { name: 'Export…' })
  const ask = async () => {
    await chat.ofChat('Export…')
    await expect(dialog.getByRole('radio', { name: 'Web page' })).toBeChecked()
  }
  await ask()
  await expectAccessible(page)
  const html = await saved(page, () => dialog.getByRole('button', { name: 'Download' }).click())
  expect(html.name).toMatch(/\.html$/)
  await expect(dialog).toBeHidden()

  // the page needs nothing else, and runs nothing
  const other = await context.newPage()
  const noticed: string[] = []
  other.on('request', (request) => noticed.push(request.url()))
  other.on('console', (message) => noticed.push(message.text()))
  await other.setContent(html.bytes.toString())
  await expect(other.getByRole('img', { name: 'The graph of this chat' })).toBeVisible()
  await expect(other.getByRole('article')).toHaveCount(4)
  const families = () =>
    other.evaluate(() => Array.from(document.fonts, ({ family, status }) => `${family} ${status}`))
  await expect.poll(families).toContain('Geist loaded')
  await expect(other.getByText('2 + 2 = 4').last()).toBeVisible()
  expect(noticed).toEqual([])

  // with the keys: the whole chat as our format
  await page.bringToFront()
  await ask()
  await dialog.getByRole('radio', { name: 'Web page' }).focus()
  for (const format of ['Markdown', 'Markdown with files', 'Word document', 'Ramify JSON']) {
    // the choice moves with the focus, which moves once the key is down
    await page.keyboard.down('ArrowDown')
    await expect(dialog.getByRole('radio', { name: format, exact: true })).toBeChecked()
    await page.keyboard.up('ArrowDown')
  }
  const json = await saved(page, () => dialog.getByRole('button', { name: 'Download' }).press('Enter'))
  const file = JSON.parse(json.bytes.toString())
  expect(file).toMatchObject({ format: 'ramify.chat', version: 1, chat: { id } })
  expect(file.branches).toHaveLength(2)
})

test('the graph is saved as a drawing that any program can read, and as a picture, light and dark', async ({
  chat,
  page,
  context,
}) => {
  await openFork(chat)
  const nameIs = /^repeat-svg-script-1-2-graph\./
  await chat.graph.getByRole('button', { name: 'More about the graph' }).click()
  const svg = await saved(page, () => page.getByRole('menuitem', { name: 'Save as SVG' }).click())
  expect(svg.name).toMatch(nameIs)
  // then it is well-formed, needs nothing else, and holds every message and name as text
  const read = await page.evaluate((source) => {
    const drawing = new DOMParser().parseFromString(source, 'image/svg+xml')
    return {
      root: drawing.documentElement.localName,
      foreign: [...drawing.querySelectorAll('parsererror, script, image, use, style, foreignObject')].length,
      said: [...drawing.querySelectorAll('text')].map(({ textContent }) => textContent),
    }
  }, svg.bytes.toString())
  expect(read).toMatchObject({ root: 'svg', foreign: 0 })
  for (const words of ['what is 2+2', '2 + 2 = 4', '⚑ a <b>', 'Main line', '● here']) {
    expect(read.said.filter((text) => text === words)).toHaveLength(1)
  }
  // and is drawn
  const other = await context.newPage()
  const data = `data:image/svg+xml;base64,${svg.bytes.toString('base64')}`
  await other.setContent(`<img alt="graph" src="${data}">`)
  await expect(other.getByAltText('graph')).toHaveJSProperty('complete', true)
  const widthOf = (image: Locator) => image.evaluate(({ naturalWidth }: HTMLImageElement) => naturalWidth)
  expect(await widthOf(other.getByAltText('graph'))).toBeGreaterThan(300)

  await page.bringToFront()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await chat.graph.locator('.react-flow__pane').click({ button: 'right', position: { x: 300, y: 600 } })
    const png = await saved(page, () => page.getByRole('menuitem', { name: 'Save as PNG' }).click())
    expect(png.name).toMatch(nameIs)
    expect(png.bytes.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a')
    // its width and height, at twice the size: four messages of 150 in a line, below the title
    expect(png.bytes.readUInt32BE(16)).toBeGreaterThan(640)
    expect(png.bytes.readUInt32BE(20)).toBeGreaterThan(300)
  }
})
