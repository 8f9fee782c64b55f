import { expect } from 'vitest'
import { type Locator, locators, page, userEvent } from 'vitest/browser'

declare module 'vitest/browser' {
  interface LocatorSelectors {
    /** what a person cannot name: an attribute that tests look at */
    css(selector: string): Locator
  }
}

locators.extend({ css: (selector: string) => `css=${selector}` })

/** The name of what switches to a branch: its handle, and its title where that is another. */
const switchTo = (branch: string): RegExp =>
  new RegExp(`^Switch to ${branch.replace(/[^\w-]/g, '\\$&')}(,|$)`)

/** The elements of a selector on the page. */
export const css = (selector: string): Locator => page.css(selector)

/** The chat page as a person meets it: by roles and names; the words are those of `e2e/support/chat-page.ts`. */
export class ChatPage {
  readonly box = page.getByRole('textbox', { name: 'Message', exact: true })
  readonly graph = page.getByRole('region', { name: 'Conversation graph' })
  readonly messages = page.getByRole('article')
  /** Messages and folds of the graph. */
  readonly nodes = this.graph.getByRole('treeitem')
  /** The actions of the message selected in the graph. */
  readonly toolbar = page.getByRole('toolbar', { name: 'Message actions' })

  /** The head of the branch in view, in the graph. */
  get here(): Locator {
    return this.graph.css('[role=treeitem][aria-current="true"]')
  }

  /** Shows the graph of a new chat, which is out of sight until its first branch. */
  async showGraph(): Promise<void> {
    await focus(this.messages.last())
    await press('g')
    await expect.element(this.graph).toBeVisible()
  }

  /** Chooses how the graph is drawn; the browser remembers it. */
  async draw(layout: 'Outline' | 'Map'): Promise<void> {
    const choice = this.graph
      .getByRole('radiogroup', { name: 'Graph layout' })
      .getByRole('radio', { name: layout })
    await choice.click()
    await expect.element(choice).toBeChecked()
  }

  /** The row of a branch in the outline. */
  row(branch: string | RegExp): Locator {
    return this.graph
      .css('[role=treeitem][data-branch]')
      .and(this.graph.getByRole('treeitem', { name: branch }))
  }

  /** Writes in the box, and sends it. */
  async send(text: string): Promise<void> {
    await this.box.fill(text)
    await this.box.click()
    await userEvent.keyboard('{Enter}')
  }

  /** Sends a message and waits until its reply is stored. */
  async ask(text: string): Promise<void> {
    const before = this.messages.elements().length
    await this.send(text)
    await expect.poll(() => this.messages.elements()).toHaveLength(before + 2)
    await this.settled()
  }

  /** Waits until no reply is being written on the branch in view. */
  async settled(): Promise<void> {
    await expect.poll(() => document.querySelector('article[data-status="streaming"]')).toBeNull()
    await expect.element(page.getByRole('button', { name: 'Stop', exact: true })).not.toBeInTheDocument()
  }

  /** The texts of the thread, top to bottom, without the words of its buttons. */
  texts(role?: 'user' | 'assistant'): string[] {
    const selector = role ? `article[data-role="${role}"]` : 'article'
    return [...document.querySelectorAll<HTMLElement>(selector)].map((article) => {
      const buttons = article.querySelector<HTMLElement>('[data-message-actions]')?.innerText ?? ''
      return article.innerText.slice(0, article.innerText.length - buttons.length).trim()
    })
  }

  lastReply(): Locator {
    return css('article[data-role="assistant"]').last()
  }

  /** Scrolls to the beginning; returns what leads back to the end. While a chat opens, the page may scroll there by itself. */
  async scrollToStart(): Promise<Locator> {
    const jump = page.getByRole('button', { name: 'Jump to latest' })
    await expect
      .poll(() => {
        document.querySelector('article')?.scrollIntoView()
        return jump.elements()
      })
      .toHaveLength(1)
    return jump
  }

  /** The person's message with these words in the thread. */
  said(text: string | RegExp): Locator {
    return css('article[data-role="user"]').filter({ hasText: text })
  }

  /** The message with these words in the thread. */
  message(text: string | RegExp): Locator {
    return this.messages.filter({ hasText: text })
  }

  /** A node of the graph by the beginning of its name, "You: …" or "Assistant: …". */
  node(name: string | RegExp): Locator {
    return this.graph.getByRole('treeitem', { name })
  }

  /** Selects a node in the graph and uses its toolbar. */
  async act(name: string | RegExp, action: string): Promise<void> {
    await this.node(name).getByRole('button').click()
    await this.toolbar.getByRole('button', { name: action, exact: true }).click()
  }

  /** Takes back the last move. */
  async undo(): Promise<void> {
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
  }

  /** The label of a branch in the graph. */
  label(branch: string): Locator {
    return this.graph.getByRole('button', { name: switchTo(branch) })
  }

  /** An item of the menu that is open. */
  menuItem(name: string | RegExp, { exact = false } = {}): Locator {
    return page.getByRole('menu').getByRole('menuitem', { name, exact })
  }

  /** Uses an item of the menu of a message. */
  async more(message: Locator, item: string): Promise<void> {
    await message.getByRole('button', { name: 'More actions' }).click()
    await this.menuItem(item).first().click()
  }

  /** Asks for another reply in the place of one. */
  async again(message = this.lastReply(), way = 'Try again'): Promise<void> {
    await message.getByRole('button', { name: 'Try again', exact: true }).click()
    await this.menuItem(way).click()
  }

  /** Uses an item of the menu of the chat. */
  async ofChat(item: string): Promise<void> {
    await page.getByRole('button', { name: 'More about this chat' }).click()
    await this.menuItem(item).first().click()
  }

  /** Uses an item of the menu of the graph. */
  async ofGraph(item: string): Promise<void> {
    await this.graph.getByRole('button', { name: 'More about the graph' }).click()
    await this.menuItem(item).click()
  }

  /** Uses an item of the menu of the account; `role` of a theme is another. */
  async ofAccount(item: string, role: 'menuitem' | 'menuitemradio' = 'menuitem'): Promise<void> {
    await page.getByRole('button', { name: /^Account:/ }).click()
    await page.getByRole('menu').getByRole(role, { name: item, exact: true }).click()
  }

  /** Shows or hides the history. */
  async history(): Promise<void> {
    await this.graph.getByRole('button', { name: 'History', exact: true }).click()
  }

  /** Waits until the page's address names a branch. */
  async reads(branch: string): Promise<void> {
    await expect.poll(() => new URLSearchParams(location.search).get('branch')).toBe(branch)
  }

  /** The switcher, which shows the title of the branch in view and has its handle as `title`. */
  branch(): Locator {
    return page.getByRole('combobox', { name: 'Branch', exact: true })
  }
}

/** Waits until so many elements are there. */
export const expectCount = (locator: Locator, count: number): Promise<void> =>
  expect.poll(() => locator.elements()).toHaveLength(count)

/** Waits until so many elements can be seen, by their style too. */
export const expectSeen = (locator: Locator, count: number): Promise<void> =>
  expect
    .poll(() => locator.elements().filter((element) => element.checkVisibility({ visibilityProperty: true })))
    .toHaveLength(count)

/** Waits until nothing of it is seen: it is not there, or hidden. */
export const expectHidden = (locator: Locator): Promise<void> =>
  expect.poll(() => locator.elements().filter((element) => element.checkVisibility())).toEqual([])

/** Where an element is drawn, in px of the window. */
export const boxOf = (locator: Locator): DOMRect => locator.element().getBoundingClientRect()

/** Where messages are drawn in the graph, by their ids. */
export function drawnPlaces(): Record<string, string> {
  const nodes = [...document.querySelectorAll<HTMLElement>('.react-flow__node')]
  return Object.fromEntries(nodes.map(({ dataset, style }) => [dataset.id, style.transform]))
}

/** Gives an element the focus, as a script or a screen reader does. */
export async function focus(locator: Locator): Promise<void> {
  await expect.element(locator.first()).toBeInTheDocument()
  const element = locator.first().element()
  if (!(element instanceof HTMLElement)) throw new Error('It cannot have the focus')
  element.focus()
}

/** The visible targets are as large as a finger. */
export async function expectLargeTargets(...targets: Locator[]): Promise<void> {
  for (const target of targets) {
    await expect.element(target.first()).toBeInTheDocument()
    const seen = target.elements().filter((element) => element.checkVisibility())
    expect(seen).not.toEqual([])
    for (const element of seen) {
      const { width, height } = element.getBoundingClientRect()
      // a target that still slides in may be measured a hair less
      expect(Math.round(Math.min(width, height)), element.outerHTML.slice(0, 120)).toBeGreaterThanOrEqual(44)
    }
  }
}

/** Presses keys one after another, in the words of the browser: `j`, `Escape`, `Control+Shift+z`. */
export async function press(...keys: string[]): Promise<void> {
  for (const key of keys) {
    const [last = '', ...holding] = key.split('+').reverse()
    const pressed = last.length > 1 ? `{${last}}` : last.replace(/[[{]/, '$&$&')
    const held = holding.reduce((inner, name) => `{${name}>}${inner}{/${name}}`, pressed)
    await userEvent.keyboard(held)
  }
}
