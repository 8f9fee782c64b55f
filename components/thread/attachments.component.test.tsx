import { expect, test } from 'vitest'
import { type Locator, page, userEvent } from 'vitest/browser'
import { type ChatPage, css, expectCount, focus } from '@/testing/page/chat-page'
import { openPage, reload } from '@/testing/page/given'
import { lookInAllWays } from '@/testing/page/look'

// Files are attached to a message, shown with it, and read by the model.

async function map(): Promise<File> {
  const canvas = new OffscreenCanvas(320, 200)
  canvas.getContext('2d')?.fillRect(0, 0, 320, 200)
  return new File([await canvas.convertToBlob()], 'map of the coast.png', { type: 'image/png' })
}
const paper = new File(['%PDF-1.4\ntrailer<<>>\n%%EOF\n'], 'paper.pdf', { type: 'application/pdf' })

const attached = page.getByRole('list', { name: 'Attached files' }).getByRole('listitem')

const pick = (...files: File[]) =>
  userEvent.upload(css('input[type=file][aria-label="Files to attach"]'), files)

/** Gives a file to an element by a drop or a paste. */
function give(target: Locator, how: 'drop' | 'paste' | 'dragenter', name: string, words: string): void {
  const data = new DataTransfer()
  data.items.add(new File([words], name))
  const options = { bubbles: true, cancelable: true }
  target
    .element()
    .dispatchEvent(
      how === 'paste'
        ? new ClipboardEvent(how, { ...options, clipboardData: data })
        : new DragEvent(how, { ...options, dataTransfer: data }),
    )
}

async function expectDrawn(chat: ChatPage): Promise<void> {
  const picture = chat.messages.first().getByRole('img', { name: 'map of the coast.png' })
  await expect.poll(() => (picture.element() as HTMLImageElement).naturalWidth).toBe(320)
  await expect.element(picture).toBeVisible()
}

test('a picture and a PDF are attached, sent, seen after a reload, and kept by an edit', async () => {
  const chat = await openPage('/')
  await pick(await map(), paper)
  await expectCount(attached, 2)
  await expect.element(attached.nth(0)).toMatchTextContent(/map of the coast\.png/)
  await expect.element(attached.nth(1)).toMatchTextContent(/paper\.pdf/)
  await expect.element(page.getByText('2 files are attached.')).toBeInTheDocument()
  // given a draft with files, when the page is loaded anew, then they are still there
  await chat.box.fill('Where is the station?')
  await reload()
  await expectCount(attached, 2)
  await expect.element(chat.box).toHaveValue('Where is the station?')
  await focus(chat.box)
  await userEvent.keyboard('{Enter}')
  await expectCount(chat.messages, 2)
  await chat.settled()
  await expectCount(attached, 0)
  await expect.element(chat.lastReply()).toMatchTextContent(/You attached 2 files/)
  await expect.element(chat.lastReply()).toMatchTextContent(/map of the coast\.png \(image\/png/)
  // then the picture is drawn, also after a reload
  await reload()
  await expectDrawn(chat)
  // when others are attached, then they fit, and one that is broken says so
  await pick(
    new File(['# Plan'], 'a plan with quite a long name for so small a chip.md', { type: 'text/markdown' }),
    new File(['no picture'], 'broken.png', { type: 'image/png' }),
  )
  await expect.element(page.getByText('it holds text')).toBeVisible()
  await lookInAllWays('files')
  // when the message is edited, then its files stay with it
  await chat.messages.first().hover()
  await chat.messages.first().getByRole('button', { name: 'Edit' }).click()
  await expectCount(page.getByRole('list', { name: 'Files of this message' }).getByRole('listitem'), 2)
  await page.getByRole('textbox', { name: 'Edit message' }).fill('Where is the harbour?')
  await page.getByRole('button', { name: 'Save and send' }).click()
  await expect.element(chat.messages.first()).toMatchTextContent(/harbour/)
  await chat.settled()
  await expectDrawn(chat)
  await expect.element(chat.lastReply()).toMatchTextContent(/paper\.pdf \(application\/pdf/)
  // and the inspector names them, without their bytes
  await chat.more(chat.lastReply(), 'Inspect prompt')
  const prompt = page.getByRole('dialog', { name: 'Prompt' })
  await expect.element(prompt).toMatchTextContent(/\[paper\.pdf: application\/pdf,/)
  await expect.element(prompt).not.toMatchTextContent(/base64/)
})

test('files are dropped and pasted, removed by key, refused with words, and sent alone', async () => {
  const chat = await openPage('/')
  const thread = css('#messages')
  give(thread, 'dragenter', 'notes.txt', 'notes')
  await expect.element(page.getByText('Drop files to attach')).toBeVisible()
  give(thread, 'drop', 'notes.txt', 'what is 2+2')
  await expectCount(page.getByText('Drop files to attach'), 0)
  await expectCount(attached, 1)
  await expect.element(attached).toMatchTextContent(/notes\.txt/)
  give(chat.box, 'paste', 'table.csv', 'a,b')
  await expectCount(attached, 2)
  await focus(page.getByRole('button', { name: 'Remove table.csv' }))
  await userEvent.keyboard('{Enter}')
  await expectCount(attached, 1)
  // given a file that is refused, then it says why, and nothing can be sent until it is gone
  await pick(new File(['MZ\0\0\x03\0\0\0'], 'setup.exe', { type: 'application/x-msdownload' }))
  await expect.element(page.getByText('“setup.exe” is of a type that is not taken')).toBeVisible()
  const send = page.getByRole('button', { name: 'Ask', exact: true })
  await expect.element(send).toBeDisabled()
  await page.getByRole('button', { name: 'Remove setup.exe' }).click()
  await expect.element(send).toBeEnabled()
  await send.click()
  await expectCount(chat.messages, 2)
  await chat.settled()
  await expect.element(chat.messages.first().getByRole('link', { name: 'notes.txt' })).toBeVisible()
  await expect.element(chat.lastReply()).toMatchTextContent(/You attached 1 file/)
  // the graph and the list call it after its file
  await chat.showGraph()
  await expect.element(chat.node('You: notes.txt')).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'notes.txt' }).first()).toBeVisible()
})
