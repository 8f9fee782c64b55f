import { expect, type Locator } from '@playwright/test'
import { chat, keepView, page } from './run-actions'

// The runs of all actions without a mouse.

export const keysOf = (name: string) =>
  name
    .split(' ')
    .map((key) =>
      key.replace('Ctrl', 'Control').replace(/\+([A-Z])$/, (_, letter) => `+${letter.toLowerCase()}`),
    )

export async function press(...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

const palette = () => page.getByRole('dialog', { name: 'Command palette' })

export async function choose(label: string): Promise<void> {
  await press('Control+k')
  await expect(palette().getByRole('combobox')).toBeFocused()
  await page.keyboard.insertText(label)
  await expect(palette().getByRole('option', { name: label }).first()).toHaveAttribute(
    'aria-selected',
    'true',
  )
  await press('Enter')
  await expect(palette()).toHaveCount(0)
}

/** The focus is on something that is seen. */
export const expectFocus = () =>
  expect
    .poll(() =>
      page.evaluate(() => {
        const at = document.activeElement
        if (!at || at === document.body) return 'nowhere'
        return at.checkVisibility({ visibilityProperty: true })
          ? 'seen'
          : `hidden: ${at.outerHTML.slice(0, 200)}`
      }),
    )
    .toBe('seen')

/** A dialog opens, has the focus, and gives it back. */
export const opens =
  (name: string | RegExp, role: 'dialog' | 'alertdialog' | 'menu' = 'dialog') =>
  async () => {
    const dialog = page.getByRole(role, { name })
    await expect(dialog).toBeVisible()
    await expect.poll(() => dialog.evaluate((node) => node.contains(document.activeElement))).toBe(true)
    await press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(page.locator('[data-stood]')).toBeFocused()
  }

/** A page opens, and the person comes back. */
export const leadsTo = (path: string | RegExp) => async () => {
  await expect(page).toHaveURL(path)
  await expectFocus()
  await page.goBack()
  await expect(page).toHaveURL(/\/c\/[^/]*$/)
  await expect(chat.box).toBeVisible()
}

export const focused = (locator: () => Locator) => () => expect(locator()).toBeFocused()
export const on = (locator: () => Locator) => () => locator().focus()
export const named = (label: string) => () => choose(label)
export async function chooseFrom(name: string) {
  await press('Shift+F10')
  const entry = page.getByRole('menu').getByRole('menuitem', { name, exact: true })
  await expect(entry).toBeVisible()
  for (let at = 0; at < 20 && !(await entry.evaluate((node) => node === document.activeElement)); at++)
    await press('ArrowDown')
  await press('Enter')
}
export const item = (name: string | RegExp) => () => chat.node(name).first()

export const inView = (name: RegExp) => async () => {
  await item(name)().focus()
  await keepView()
}

/** Marks where the focus is: a dialog gives it back. */
export const markFocus = () =>
  page.evaluate(() => {
    for (const each of document.querySelectorAll('[data-stood]')) each.removeAttribute('data-stood')
    document.activeElement?.setAttribute('data-stood', '')
  })
