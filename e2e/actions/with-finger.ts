import { expect, type Locator, type Page } from '@playwright/test'
import { chat, other, page } from './run-actions'

// The runs of all actions with a finger alone.

/** Taps a target, which is as large as a finger. */
export async function tap(target: Locator): Promise<void> {
  await target.scrollIntoViewIfNeeded()
  const size = () =>
    target.evaluate((node) => {
      const drawn = node.getBoundingClientRect()
      // what is drawn small has a larger target over it
      const over = getComputedStyle(node, '::after')
      const width = Math.max(drawn.width, Number.parseFloat(over.width) || 0)
      const height = Math.max(drawn.height, Number.parseFloat(over.height) || 0)
      return Math.round(Math.min(width, height))
    })
  // what has just come may still be drawn anew
  await expect.poll(size, `the size of ${target}`).toBeGreaterThanOrEqual(44)
  await target.tap()
}

/** A message is tapped where its words are: below them its buttons are shown then. */
export const touch = (message: Locator) => message.tap({ position: { x: 30, y: 12 } })

/** A finger rests on a target until `shown` is there. */
export async function hold(target: Locator, shown: Locator): Promise<void> {
  await target.scrollIntoViewIfNeeded()
  const box = await target.boundingBox()
  if (!box) throw new Error('It is not there')
  const at = { x: box.x + Math.min(box.width / 2, 80), y: box.y + box.height / 2 }
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] })
  await expect(shown).toBeVisible()
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await devtools.detach()
}

export const button = (name: string | RegExp, within: Page | Locator = page) =>
  within.getByRole('button', { name, exact: typeof name === 'string' }).first()
export const entry = (name: string | RegExp, role: 'menuitem' | 'menuitemradio' = 'menuitem') =>
  page.getByRole('menu').getByRole(role, { name, exact: true }).first()
export const tab = (name: string) => page.getByRole('tab', { name })
export const chats = () => page.getByRole('dialog', { name: 'Chats' })
export const bar = () => chat.toolbar

export const thread = async () => {
  if ((await tab('Thread').getAttribute('aria-selected')) !== 'true') await tap(tab('Thread'))
}
export const graphTab = async () => {
  if ((await tab('Graph').getAttribute('aria-selected')) !== 'true') await tap(tab('Graph'))
  await expect(chat.graph).toBeVisible()
}
export const sidebar = () => tap(button('Open sidebar'))

export const onMessage = (message: () => Locator, name: string) => async () => {
  await thread()
  await touch(message())
  await tap(button(name, message()))
}
export const ofMessage =
  (message: () => Locator, item: string, menu = 'More actions') =>
  async () => {
    await onMessage(message, menu)()
    await tap(entry(item))
  }
export const ofChat = (item: string | RegExp) => async () => {
  await tap(button('More about this chat'))
  await tap(entry(item))
}
export const ofTitle = (item: string | RegExp) => async () => {
  await tap(page.locator('[data-chat-title]'))
  await tap(entry(item))
}
export const ofAccount = (item: string, role?: 'menuitemradio') => async () => {
  await sidebar()
  await tap(button(/^Account:/))
  await tap(entry(item, role))
}
export const choose = (label: string) => async () => {
  await ofAccount('Command palette')()
  const dialog = page.getByRole('dialog', { name: 'Command palette' })
  await tap(dialog.getByRole('combobox'))
  await page.keyboard.insertText(label)
  await tap(dialog.getByRole('option', { name: label }).first())
  await expect(dialog).toHaveCount(0)
}
export const node = (name: string | RegExp) => chat.node(name).first()
export const onNode = (name: string | RegExp, action: string | RegExp) => async () => {
  await graphTab()
  await tap(node(name))
  await tap(bar().getByRole('button', { name: action, exact: true }))
}
export const ofBranch = (item: string) => async () => {
  await graphTab()
  await hold(other(), page.getByRole('menu'))
  await tap(entry(item))
}
export const ofGraph = (item: string | RegExp) => async () => {
  await graphTab()
  await tap(button('More about the graph', chat.graph))
  await tap(entry(item))
}

/** A dialog opens, and a tap on its button closes it. */
export const opens =
  (name: string | RegExp, role: 'dialog' | 'alertdialog' = 'dialog') =>
  async () => {
    const dialog = page.getByRole(role, { name })
    await tap(button(/^(Close|Cancel|Keep)/, dialog))
    await expect(dialog).toHaveCount(0)
  }
/** A panel opens that a tap beside it closes. */
export const opensOver =
  (name: string | RegExp, beside = 20) =>
  async () => {
    const panel = page.getByRole('dialog', { name })
    await expect(panel).toBeVisible()
    await page.touchscreen.tap(300, beside)
    await expect(panel).toHaveCount(0)
  }
export const leadsTo = (path: RegExp) => async () => {
  await expect(page).toHaveURL(path)
  await page.goBack()
  await expect(page).toHaveURL(/\/c\/[^/]*$/)
  await expect(tab('Thread')).toBeVisible()
}
export const shows = (locator: () => Locator) => () => expect(locator()).toBeVisible()
export const gone = (locator: () => Locator) => () => expect(locator()).toHaveCount(0)

/** The ring that a browser draws around what has the focus, where no text is written. */
export const ring = () =>
  page.evaluate(() => {
    const at = document.activeElement
    if (!at?.matches(':focus-visible') || at.matches('input, textarea')) return null
    const { outlineStyle, outlineWidth } = getComputedStyle(at)
    return outlineStyle === 'none' || outlineWidth === '0px' ? null : at.outerHTML.slice(0, 200)
  })
