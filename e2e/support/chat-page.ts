import { expect, type Locator, type Page } from '@playwright/test'

/** The chat page as a person meets it: by role and name, as CONTRACT.md promises them. */
export class ChatPage {
  readonly box: Locator
  readonly graph: Locator
  readonly messages: Locator

  constructor(readonly page: Page) {
    this.box = page.getByRole('textbox', { name: 'Message', exact: true })
    this.graph = page.getByRole('region', { name: 'Conversation graph' })
    this.messages = page.getByRole('article')
  }

  /** Opens a new chat, on a page that answers to clicks. */
  async open(path = '/'): Promise<void> {
    await this.page.goto(path)
    await expect(this.box).toBeEditable()
  }

  /** Sends a message and waits until its reply is stored. */
  async ask(text: string): Promise<void> {
    const before = await this.messages.count()
    await this.box.fill(text)
    await this.box.press('Enter')
    await expect(this.messages).toHaveCount(before + 2)
    await this.settled()
  }

  /** No reply is being written on the branch in view. */
  async settled(): Promise<void> {
    await expect(this.page.locator('article[data-status="streaming"]')).toHaveCount(0)
    await expect(this.page.getByRole('button', { name: 'Stop', exact: true })).toHaveCount(0)
  }

  /** What the thread says, top to bottom. */
  async texts(role?: 'user' | 'assistant'): Promise<string[]> {
    return this.page.locator(role ? `article[data-role="${role}"]` : 'article').allInnerTexts()
  }

  lastReply(): Locator {
    return this.page.locator('article[data-role="assistant"]').last()
  }

  /** What the person said in the thread, by its words. */
  said(text: string | RegExp): Locator {
    return this.page.locator('article[data-role="user"]').filter({ hasText: text })
  }

  /** A message of the thread by what it says. */
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
    await this.page
      .getByRole('toolbar', { name: 'Message actions' })
      .getByRole('button', { name: action, exact: true })
      .click()
  }

  /** The branch in view, by the switcher. */
  branch(): Locator {
    return this.page.getByRole('combobox', { name: 'Branch', exact: true })
  }
}
