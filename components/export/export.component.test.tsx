import { expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { css, expectCount } from '@/testing/page/chat-page'
import { givenChat, openPage, turns } from '@/testing/page/given'
import { lookInAllWays } from '@/testing/page/look'

const dialog = page.getByRole('dialog', { name: 'Export…' })

/** Addresses that the page has a browser save. */
function savedPaths(): URL[] {
  const saved: URL[] = []
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    saved.push(new URL(this.href))
  })
  onTestFinished(() => click.mockRestore())
  return saved
}

const fork = () =>
  givenChat({
    title: 'Lisbon or Porto',
    branches: [
      { name: 'main', says: turns('Where to?', 'And then?') },
      { name: 'porto', at: 'a1', says: ['And Porto instead?', 'Noted.'] },
    ],
  })

test('given a chat with branches, when parts of it are left out, then the file of this branch is asked for without them', async () => {
  const saved = savedPaths()
  const chat = await openPage(`/c/${await fork()}`)
  await chat.ofChat('Export…')
  await lookInAllWays('export', () => expect.element(dialog).toBeVisible())
  await dialog.getByRole('radio', { name: 'Word document' }).click()
  await dialog.getByRole('radio', { name: 'This branch' }).click()
  await dialog.getByRole('checkbox', { name: 'Thoughts' }).click()
  await dialog.getByRole('checkbox', { name: 'Instructions' }).click()
  await dialog.getByRole('button', { name: 'Download' }).click()
  const [{ searchParams } = new URL('http://none')] = saved
  expect(Object.fromEntries(searchParams)).toMatchObject({ format: 'docx', without: 'thoughts,context' })
  expect(searchParams.get('branch')).toBeTruthy()
  // JSON is whole
  await chat.ofChat('Export…')
  await dialog.getByRole('radio', { name: 'Ramify JSON' }).click()
  await expectCount(dialog.getByRole('checkbox'), 0)
  await dialog.getByRole('button', { name: 'Download' }).click()
  expect([...(saved[1]?.searchParams.keys() ?? [])]).toEqual(['format'])
})

test('given chats that are selected in the list, when they are exported, then one zip of them is asked for', async () => {
  const saved = savedPaths()
  const [first, second] = [await fork(), await fork()]
  await fork()
  await openPage('/')
  const rows = css('nav[aria-label="Your chats"] [data-chat]').getByRole('link')
  await rows.nth(1).click({ modifiers: ['ControlOrMeta'] })
  await rows.nth(2).click({ modifiers: ['ControlOrMeta'] })
  await lookInAllWays('selected-chats')
  await page.getByRole('toolbar', { name: 'Selected chats' }).getByRole('button', { name: 'Export' }).click()
  await expect.element(dialog).toHaveAccessibleDescription('2 chats, as one zip')
  await dialog.getByRole('radio', { name: 'Markdown with files' }).click()
  await dialog.getByRole('button', { name: 'Download' }).click()
  expect(saved[0]?.pathname).toBe('/api/export')
  expect(saved[0]?.searchParams.get('format')).toBe('markdown-zip')
  expect(saved[0]?.searchParams.get('ids')?.split(',').sort()).toEqual([first, second].sort())
})

test('given a branch that is longer than the page has loaded, when it is printed, then its title, its name and every message are on paper, and nothing else', async () => {
  const asked = Array.from({ length: 60 }, (_, at) => `Question ${at + 1}.`)
  const id = await givenChat({
    title: 'A long way',
    branches: [
      { name: 'main', says: turns(...asked) },
      { name: 'side', at: 'a1', says: ['Aside', 'Noted.'] },
    ],
  })
  const printed: { text: string; shows: string[] }[] = []
  const print = vi.spyOn(window, 'print').mockImplementation(() => {
    const host = document.querySelector('.printed')
    printed.push({
      text: host?.shadowRoot?.textContent ?? '',
      shows: [...(host?.shadowRoot?.querySelectorAll('script, .graph, details:not([open])') ?? [])].map(
        ({ tagName }) => tagName,
      ),
    })
  })
  onTestFinished(() => print.mockRestore())
  await openPage(`/c/${id}?branch=main`)
  await expect.element(page.getByText('Question 60.').first()).toBeVisible()
  await userEvent.keyboard('{Control>}p{/Control}')
  await expect.poll(() => printed).toHaveLength(1)
  const [{ text, shows } = { text: '', shows: [] }] = printed
  expect(text).toContain('A long way')
  expect(text).toContain('Branch: ')
  for (const question of asked) expect(text).toContain(question)
  expect(text).not.toContain('Aside')
  expect(shows).toEqual([])
  // once it is over, nothing of it stays
  window.dispatchEvent(new Event('afterprint'))
  expect(document.querySelector('.printed')).toBeNull()
})
