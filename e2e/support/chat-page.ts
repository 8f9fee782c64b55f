import { expect, type Locator, type Page } from '@playwright/test'

/** Waits until React has taken over an element that the server drew: earlier clicks on it are lost. */
export async function hydrated(element: Locator): Promise<void> {
  await expect
    .poll(() => element.evaluate((node) => Object.keys(node).some((key) => key.startsWith('__reactProps$'))))
    .toBe(true)
}

/** The name of what switches to a branch: its handle, and its title where that is another. */
const switchTo = (branch: string): RegExp =>
  new RegExp(`^Switch to ${branch.replace(/[^\w-]/g, '\\$&')}(,|$)`)

/** The chat page as a person meets it: by roles and names. */
export class ChatPage {
  readonly box: Locator
  readonly graph: Locator
  readonly messages: Locator
  /** Messages and folds of the graph. */
  readonly nodes: Locator
  /** The head of the branch in view, in the graph. */
  readonly here: Locator
  /** The actions of the message selected in the graph. */
  readonly toolbar: Locator

  constructor(readonly page: Page) {
    this.box = page.getByRole('textbox', { name: 'Message', exact: true })
    this.graph = page.getByRole('region', { name: 'Conversation graph' })
    this.messages = page.getByRole('article')
    this.nodes = this.graph.getByRole('treeitem')
    this.here = this.graph.locator('[role=treeitem][aria-current="true"]')
    this.toolbar = page.getByRole('toolbar', { name: 'Message actions' })
  }

  /** Opens a new chat, or the page at `path`, and waits until it answers to clicks. */
  async open(path = '/'): Promise<void> {
    await this.page.goto(path)
    await expect(this.box).toBeEditable()
    await hydrated(this.box)
  }

  /** Loads the page again, and waits until it answers to clicks. */
  async reload(): Promise<void> {
    await this.page.reload()
    await hydrated(this.box)
  }

  /** Shows the graph of a new chat, which is out of sight until its first branch. */
  async showGraph(): Promise<void> {
    await this.messages.last().focus()
    await this.page.keyboard.press('g')
    await expect(this.graph).toBeVisible()
  }

  /** Chooses how the graph is drawn; the browser remembers it. */
  async draw(layout: 'Outline' | 'Map'): Promise<void> {
    const choice = this.graph
      .getByRole('radiogroup', { name: 'Graph layout' })
      .getByRole('radio', { name: layout })
    await choice.click()
    await expect(choice).toBeChecked()
    await expect(this.nodes.first()).toBeAttached()
  }

  /** The row of a branch in the outline. */
  row(branch: string | RegExp): Locator {
    return this.graph
      .locator('[role=treeitem][data-branch]')
      .and(this.graph.getByRole('treeitem', { name: branch }))
  }

  /** Sends a message and waits until its reply is stored. */
  async ask(text: string): Promise<void> {
    const before = await this.messages.count()
    await this.box.fill(text)
    await this.box.press('Enter')
    await expect(this.messages).toHaveCount(before + 2)
    await this.settled()
  }

  /** Waits until no reply is being written on the branch in view. */
  async settled(): Promise<void> {
    await expect(this.page.locator('article[data-status="streaming"]')).toHaveCount(0)
    await expect(this.page.getByRole('button', { name: 'Stop', exact: true })).toHaveCount(0)
  }

  /** The texts of the thread, top to bottom, without the words of its buttons. */
  async texts(role?: 'user' | 'assistant'): Promise<string[]> {
    const articles = this.page.locator(role ? `article[data-role="${role}"]` : 'article')
    return articles.evaluateAll((all) =>
      (all as HTMLElement[]).map((article) => {
        const buttons = article.querySelector<HTMLElement>('[data-message-actions]')?.innerText ?? ''
        return article.innerText.slice(0, article.innerText.length - buttons.length).trim()
      }),
    )
  }

  lastReply(): Locator {
    return this.page.locator('article[data-role="assistant"]').last()
  }

  /** The person's message with these words in the thread. */
  said(text: string | RegExp): Locator {
    return this.page.locator('article[data-role="user"]').filter({ hasText: text })
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
    await this.page.getByRole('button', { name: 'Undo', exact: true }).click()
  }

  /** The label of a branch in the graph. */
  label(branch: string): Locator {
    return this.graph.getByRole('button', { name: switchTo(branch) })
  }

  /** An item of the menu that is open. */
  menuItem(name: string | RegExp, { exact = false } = {}): Locator {
    return this.page.getByRole('menu').getByRole('menuitem', { name, exact })
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
    await this.page.getByRole('button', { name: 'More about this chat' }).click()
    await this.menuItem(item).first().click()
  }

  /** Uses an item of the menu of the graph. */
  async ofGraph(item: string): Promise<void> {
    await this.graph.getByRole('button', { name: 'More about the graph' }).click()
    await this.menuItem(item).click()
  }

  /** Uses an item of the menu of the account; `role` of a theme is another. */
  async ofAccount(item: string, role: 'menuitem' | 'menuitemradio' = 'menuitem'): Promise<void> {
    await this.page.getByRole('button', { name: /^Account:/ }).click()
    await this.page.getByRole('menu').getByRole(role, { name: item, exact: true }).click()
  }

  /** Shows or hides the history. */
  async history(): Promise<void> {
    await this.graph.getByRole('button', { name: 'History', exact: true }).click()
  }

  /** Waits until the page's address names a branch. */
  async reads(branch: string): Promise<void> {
    await expect(this.page).toHaveURL(new RegExp(`branch=${branch}(&|$)`))
  }

  /** The switcher, which shows the title of the branch in view and has its handle as `title`. */
  branch(): Locator {
    return this.page.getByRole('combobox', { name: 'Branch', exact: true })
  }
}
