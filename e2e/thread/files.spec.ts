import { pdfFile, pngImage } from '@/testing/worlds/sample-files'
import { expect, test } from '../support/test'

test('files are attached in the browser’s own dialog, are still there after a reload, and one is saved', async ({
  chat,
  page,
}) => {
  await chat.open()
  const asked = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Attach files' }).click()
  await (await asked).setFiles([
    { name: 'map.png', mimeType: 'image/png', buffer: pngImage('', [320, 200]) },
    { name: 'paper.pdf', mimeType: 'application/pdf', buffer: pdfFile() },
  ])
  await expect(page.getByText('2 files are attached.')).toBeAttached()
  await chat.ask('Where is the station?')
  await chat.reload()
  const picture = chat.messages.first().getByRole('img', { name: 'map.png' })
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(320)
  const saved = page.waitForEvent('download')
  await chat.messages.first().getByRole('link', { name: 'paper.pdf' }).click()
  expect((await saved).suggestedFilename()).toBe('paper.pdf')
})
