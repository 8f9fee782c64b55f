import type { Locator, Page } from '@playwright/test'
import { pdfFile, pngImage } from '@/testing/worlds/sample-files'
import type { ChatPage } from '../support/chat-page'
import { look, onEveryScreen } from '../support/screens'
import { expect, test } from '../support/test'

// Files are attached to a message, shown with it, and read by the model.

const map = (note: string) => ({
  ...{ name: 'map of the coast.png', mimeType: 'image/png' },
  buffer: pngImage(note, [320, 200]),
})
const paper = (note: string) => ({
  ...{ name: 'paper.pdf', mimeType: 'application/pdf' },
  buffer: pdfFile(note),
})

const attached = (page: Page): Locator =>
  page.getByRole('list', { name: 'Attached files' }).getByRole('listitem')

/** Attaches files as a person does: with the button, in the browser's own dialog. */
async function pick(
  page: Page,
  ...files: { name: string; mimeType: string; buffer: Buffer }[]
): Promise<void> {
  const asked = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Attach files' }).click()
  await (await asked).setFiles(files)
}

/** Gives files to an element by a drop or a paste. */
const give = (target: Locator, how: 'drop' | 'paste' | 'dragenter', name: string, words: string) =>
  target.evaluate(
    (element, given) => {
      const data = new DataTransfer()
      data.items.add(new File([given.words], given.name))
      const event =
        given.how === 'paste'
          ? new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: data })
          : new DragEvent(given.how, { bubbles: true, cancelable: true, dataTransfer: data })
      element.dispatchEvent(event)
    },
    { how, name, words },
  )

const picture = (chat: ChatPage, name: string) => chat.messages.first().getByRole('img', { name })

test('a picture and a PDF are attached, sent, seen after a reload, and kept by an edit', async ({
  chat,
  page,
}) => {
  await chat.open()
  await pick(page, map('first'), paper('first'))
  await expect(attached(page)).toHaveText([/map of the coast\.png/, /paper\.pdf/])
  await expect(page.getByText('2 files are attached.')).toBeAttached()
  // given a draft with files, when the page is loaded anew, then they are still there
  await chat.box.fill('Where is the station?')
  await chat.reload()
  await expect(attached(page)).toHaveCount(2)
  await expect(chat.box).toHaveValue('Where is the station?')
  await chat.box.press('Enter')
  await chat.settled()
  await expect(attached(page)).toHaveCount(0)
  await expect(chat.lastReply()).toContainText('You attached 2 files')
  await expect(chat.lastReply()).toContainText('map of the coast.png (image/png')
  // then the picture is drawn, and the PDF can be saved, also after a reload
  await chat.reload()
  await expect(picture(chat, 'map of the coast.png')).toBeVisible()
  const drawn = () =>
    picture(chat, 'map of the coast.png').evaluate((image: HTMLImageElement) => image.naturalWidth)
  await expect.poll(drawn).toBe(320)
  const saved = page.waitForEvent('download')
  await chat.messages.first().getByRole('link', { name: 'paper.pdf' }).click()
  expect((await saved).suggestedFilename()).toBe('paper.pdf')
  // when the message is edited, then its files stay with it
  await chat.messages.first().getByRole('button', { name: 'Edit' }).click()
  await expect(page.getByRole('list', { name: 'Files of this message' }).getByRole('listitem')).toHaveCount(2)
  await page.getByRole('textbox', { name: 'Edit message' }).fill('Where is the harbour?')
  await page.getByRole('button', { name: 'Save and send' }).click()
  await expect(chat.messages.first()).toContainText('harbour')
  await chat.settled()
  await expect(picture(chat, 'map of the coast.png')).toBeVisible()
  await expect(chat.lastReply()).toContainText('paper.pdf (application/pdf')
  // and the inspector names them, without their bytes
  await chat.lastReply().getByRole('button', { name: 'Inspect prompt' }).click()
  const prompt = page.getByRole('dialog', { name: 'Prompt' })
  await expect(prompt).toContainText('[paper.pdf: application/pdf,')
  await expect(prompt).not.toContainText('base64')
})

test('files are dropped and pasted, removed by key, refused with words, and sent alone', async ({
  chat,
  page,
}) => {
  await chat.open()
  const thread = page.locator('#messages')
  await give(thread, 'dragenter', 'notes.txt', 'notes')
  await expect(page.getByText('Drop files to attach')).toBeVisible()
  await give(thread, 'drop', 'notes.txt', 'what is 2+2')
  await expect(page.getByText('Drop files to attach')).toHaveCount(0)
  await expect(attached(page)).toHaveText([/notes\.txt/])
  await give(chat.box, 'paste', 'table.csv', 'a,b')
  await expect(attached(page)).toHaveCount(2)
  await page.getByRole('button', { name: 'Remove table.csv' }).press('Enter')
  await expect(attached(page)).toHaveCount(1)
  // given a file that is refused, then it says why, and nothing can be sent until it is gone
  await pick(page, { name: 'page.html', mimeType: 'text/html', buffer: Buffer.from('<html></html>') })
  await expect(page.getByText('“page.html” is HTML or SVG, which a browser could run.')).toBeVisible()
  const send = page.getByRole('button', { name: 'Send', exact: true })
  await expect(send).toBeDisabled()
  await page.getByRole('button', { name: 'Remove page.html' }).click()
  await expect(send).toBeEnabled()
  await send.click()
  await chat.settled()
  await expect(chat.messages.first().getByRole('link', { name: 'notes.txt' })).toBeVisible()
  await expect(chat.lastReply()).toContainText('You attached 1 file')
  // the graph and the list call it after its file
  await expect(chat.node('You: notes.txt')).toBeVisible()
  await expect(page.getByRole('link', { name: 'notes.txt' }).first()).toBeVisible()
})

onEveryScreen((screen) => {
  test('files in the box and in messages', async ({ chat, page }) => {
    await chat.open()
    await pick(page, map(screen.suffix), paper(screen.suffix), {
      ...{ name: 'a plan with quite a long name for so small a chip.md', mimeType: 'text/markdown' },
      buffer: Buffer.from('# Plan'),
    })
    await expect(page.getByText('3 files are attached.')).toBeAttached()
    await chat.ask('What do these say?')
    await pick(page, paper(`again ${screen.suffix}`), {
      ...map('x'),
      name: 'broken.png',
      buffer: Buffer.from('no picture'),
    })
    await expect(page.getByText('it holds text')).toBeVisible()
    await look(page, 'files', screen)
  })
})
