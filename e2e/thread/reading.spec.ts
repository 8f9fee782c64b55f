import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { type ScriptedReply, startOpenAIServer } from '@/testing/machines/openai-server'
import { ChatPage } from '../support/chat-page'
import { sendTurn, signIn, userMessage } from '../support/openings'
import { look, onEveryScreen, phone, picture, sidewaysScroll } from '../support/screens'
import { expect, providerPort, test } from '../support/test'

// A reply is laid out while it is written as it will stand, and everything Markdown can say can be read.

const model = 'openai-compatible:scripted'

let provider: Awaited<ReturnType<typeof startOpenAIServer>>
let answer: ScriptedReply = ''

test.beforeAll(async () => {
  provider = await startOpenAIServer({ port: providerPort(), answer: () => answer })
})
test.afterAll(() => provider.close())

/** Opens a chat whose only reply is a text. */
async function openReply(page: Page, text: string): Promise<void> {
  await signIn(page.request)
  const id = randomUUID()
  answer = { text: [text] }
  await sendTurn(page.request, id, userMessage('Show me'), { model })
  await new ChatPage(page).open(`/c/${id}`)
  await expect(page.locator('article[data-role="assistant"]')).toHaveAttribute('data-status', 'done')
}

const everything = `# A day in Sintra

The first train leaves at **8:12** and takes forty minutes; buy the ticket for the park the evening before, because the queue at the gate is long and in the sun.

## What to take

- water
- a jacket, it is windy

  even in May
- [a map](https://example.com)
  1. of the park
  2. of the town

1. Pena

   opens at half past nine

2. Regaleira

### A table

| Place | Opens | Remark |
| :-- | --: | :-- |
| Pena | 9:30 | Entry by the half hour; walk up through the park rather than taking the bus |
| Regaleira | 10:00 | \`no stairs\` at the lower gate |

> Quoted, with a list:
>
> - one
> - two

\`\`\`ts
const stops = ['Pena', 'Regaleira']
for (const stop of stops) console.log(stop)
\`\`\`

- [x] tickets
- [ ] shoes

The energy is \\(E = mc^2\\), and the sum of the first numbers is

$$
\\sum_{k=1}^{n} k = \\frac{n(n+1)}{2}
$$

---

#### In the end

A last paragraph that is long enough to take more than one line in the column it is read in, so that its end is where it is.`

/** The blocks of the last reply: what they say, and where they stand below its beginning. */
const blocks = (page: Page) =>
  page.evaluate(() => {
    const reply = [...document.querySelectorAll('article[data-role="assistant"]')].at(-1)
    const body = reply?.querySelector('.reading')
    const top = reply?.getBoundingClientRect().top ?? 0
    const parts = 'p, h1, h2, h3, h4, li, td, th, figure, blockquote, hr, .formula, input'
    return [...(body?.querySelectorAll<HTMLElement>(parts) ?? [])].map((part) => {
      const { x, y, width, height } = part.getBoundingClientRect()
      const place = [x, y - top, width, height].map((value) => Math.round(value * 10) / 10)
      return `${part.tagName} ${part.textContent?.trim().slice(0, 24)} ${place.join(' ')}`
    })
  })

const heightOf = (page: Page) =>
  page
    .locator('article[data-role="assistant"]')
    .last()
    .evaluate((reply) => reply.getBoundingClientRect().height)

test('given a reply with everything, when it ends, then nothing of it moves', async ({ chat, page }) => {
  // given a reply that has come to its last word, and has not ended
  let end: () => void = () => undefined
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  answer = { text: [everything, ''], pace: (sent) => (sent === 0 ? undefined : ended) }
  await chat.open()
  await page.getByRole('combobox', { name: 'Model', exact: true }).click()
  await page.getByRole('option', { name: /scripted/i }).click()
  await chat.box.fill('Show me')
  await chat.box.press('Enter')
  const reply = chat.lastReply()
  await expect(reply).toContainText('so that its end is where it is.')
  await expect(reply.locator('.katex')).toHaveCount(2)
  await expect(reply.locator('.token').first()).toBeVisible()
  await page.evaluate(() => document.fonts.ready)
  const [writing, height] = [await blocks(page), await heightOf(page)]
  await expect(reply).toHaveAttribute('data-status', 'streaming')
  expect(writing.length).toBeGreaterThan(30)
  // when
  end()
  // then
  await chat.settled()
  await expect(reply).toHaveAttribute('data-status', 'done')
  expect(await blocks(page)).toEqual(writing)
  expect(await heightOf(page)).toBe(height)
})

const diagram = `flowchart LR
  A[Lisbon] --> B{By train?}
  B -->|yes| C[Sintra]
  B -->|no| D[Cascais]`

onEveryScreen((screen) => {
  test('a reply with everything, and a diagram', async ({ chat, page }) => {
    await openReply(page, `${everything}\n\n\`\`\`mermaid\n${diagram}\n\`\`\`\n`)
    const picture = chat.lastReply().getByRole('region', { name: 'Diagram' }).getByRole('img')
    // the page has taken over what the server drew
    await expect(chat.lastReply().locator('.katex-html')).toHaveCount(2)
    await chat.lastReply().locator('figure').last().scrollIntoViewIfNeeded()
    await expect(picture).toBeVisible()
    await page.mouse.move(0, 0)
    await look(page, 'reading-end', screen)
    await chat.lastReply().locator('h1').scrollIntoViewIfNeeded()
    await look(page, 'reading-begin', screen)
    await chat.lastReply().locator('table').scrollIntoViewIfNeeded()
    await look(page, 'reading-table', screen)
  })
})

test('formulas are drawn, their source is copied, and a dollar stays a dollar', async ({ chat, page }) => {
  await openReply(
    page,
    'It costs $5 or $6. Then \\(x_1^2\\) and\n\n\\[\n\\int_0^1 x\\,dx\n\\]\n\n`\\(code\\)` and \\(\\nonsense{\\) stays.',
  )
  const reply = chat.lastReply()
  await expect(reply.locator('.katex-html')).toHaveCount(2)
  await expect(reply.locator('.reading p').first()).toContainText('It costs $5 or $6.')
  await expect(reply.locator('code')).toHaveText('\\(code\\)')
  await expect(reply.getByText('\\(\\nonsense{\\)')).toBeVisible()
  // the style sheet came with the code: text for screen readers alone is not seen
  const seen = reply.locator('.katex-mathml').first()
  await expect.poll(async () => (await seen.boundingBox())?.width ?? 0).toBeLessThanOrEqual(1)
  // when the first paragraph is copied
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await reply.locator('.reading p').first().selectText()
  await page.keyboard.press('ControlOrMeta+C')
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied.replace(/\s+/g, ' ').trim()).toBe('It costs $5 or $6. Then \\(x_1^2\\) and')
})

test('the code for formulas and diagrams is not loaded for a reply without them', async ({ chat, page }) => {
  const loaded: string[] = []
  page.on('response', async (response) => {
    const isCode = response.url().includes('/_next/static/') && response.url().includes('.js')
    if (isCode && response.ok()) loaded.push(await response.text().catch(() => ''))
  })
  await openReply(page, 'Only **words**.')
  await expect(chat.lastReply().locator('strong')).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect(loaded.length).toBeGreaterThan(3)
  expect(loaded.some((code) => code.includes('katex-html'))).toBe(false)
  expect(loaded.some((code) => code.includes('flowchart-elk'))).toBe(false)
})

test('a diagram shows its source and back, follows the theme, and what is no diagram is explained', async ({
  chat,
  page,
}) => {
  await openReply(page, `\`\`\`mermaid\n${diagram}\n\`\`\`\n\n\`\`\`mermaid\nflowchart\n  A --> \n\`\`\`\n`)
  const reply = chat.lastReply()
  const picture = reply.getByRole('region', { name: 'Diagram' }).getByRole('img')
  await expect(picture).toHaveCount(1)
  await expect(reply.getByRole('status')).toContainText('not a diagram Mermaid can draw')
  await expect(reply.locator('pre')).toContainText('A -->')
  // when its source is asked for
  await reply.getByRole('button', { name: 'Show source' }).click()
  await expect(reply.locator('pre').first()).toContainText('B{By train?}')
  await reply.getByRole('button', { name: 'Show diagram' }).click()
  await expect(picture).toBeVisible()
  // when the theme changes
  const light = await picture.getAttribute('src')
  await page.getByRole('radio', { name: 'Dark', exact: true }).click()
  await expect(picture).not.toHaveAttribute('src', light ?? '')
})

test('the boxes of tasks have the names of their tasks, and no bullets', async ({ chat, page }) => {
  await openReply(page, '- [x] buy **tickets**\n- [ ] pack\n  - shoes\n- plain')
  const reply = chat.lastReply()
  await expect(reply.getByRole('checkbox', { name: 'buy tickets', exact: true })).toBeChecked()
  await expect(reply.getByRole('checkbox', { name: 'pack', exact: true })).not.toBeChecked()
  // a reply that has just ended is drawn once more, as a stored one
  const bullets = () =>
    reply.locator('li').evaluateAll((items) => items.map((item) => getComputedStyle(item).listStyleType))
  await expect.poll(bullets).toEqual(['none', 'none', 'disc', 'disc'])
})

test('model, time and tokens of a reply are seen while it is pointed at, and nothing moves for them', async ({
  chat,
  page,
}) => {
  await chat.open()
  await chat.ask('Hello')
  const reply = chat.lastReply()
  // one for wide windows, one for phones
  const facts = reply.getByText(/^Demo · \d\d:\d\d · [\d,]+ tokens in, [\d,]+ out$/).filter({ visible: true })
  const before = await reply.boundingBox()
  await chat.box.hover()
  await expect(facts).toHaveCount(0)
  await reply.hover()
  await expect(facts).toHaveCount(1)
  await picture(page, 'reading-facts')
  expect(await reply.boundingBox()).toEqual(before)
  await chat.box.hover()
  await expect(facts).toHaveCount(0)
  await reply.focus()
  await expect(facts).toHaveCount(1)
  // the newest reply shows its actions, others do when they are pointed at
  await chat.ask('Hello again')
  await chat.box.hover()
  const shown = () =>
    page
      .locator('article[data-role="assistant"]')
      .getByRole('button', { name: 'Copy', exact: true })
      .evaluateAll((buttons) =>
        buttons.map((button) => getComputedStyle(button.parentElement ?? button).opacity),
      )
  await expect.poll(shown).toEqual(['0', '1'])
})

test('“Jump to latest” goes when there is nothing to jump to', async ({ chat, page }) => {
  await chat.open()
  await page.setViewportSize({ width: 1440, height: 420 })
  await chat.ask('write 200 words')
  const jump = page.getByRole('button', { name: 'Jump to latest' })
  await chat.messages.first().scrollIntoViewIfNeeded()
  await expect(jump).toBeVisible()
  // when the window becomes large enough for all of it
  await page.setViewportSize({ width: 1440, height: 1200 })
  await expect(jump).toHaveCount(0)
})

/** A chat with two replies to one question, by two models. Resolves on the second. */
async function openTwoReplies(page: Page): Promise<void> {
  await signIn(page.request)
  const id = randomUUID()
  await sendTurn(page.request, id, userMessage('I am devansh', 'q1'))
  answer = 'Hello from the scripted model'
  await new ChatPage(page).open(`/c/${id}`)
}

test('a good reply is written again by another model, on a new branch', async ({ chat, page }) => {
  await openTwoReplies(page)
  await expect(chat.lastReply()).toContainText('devansh')
  await chat.lastReply().getByRole('button', { name: 'Ask another model' }).click()
  const menu = page.getByRole('menu', { name: 'Ask another model' })
  await expect(menu.getByRole('menuitemradio', { name: /Demo/ })).toBeChecked()
  await menu.getByRole('menuitemradio', { name: 'scripted' }).click()
  await expect(chat.lastReply()).toContainText('Hello from the scripted model')
  await chat.settled()
  await chat.reads('main-v2')
  expect(provider.requests.at(-1)?.model).toBe('scripted')
  // the next message goes to the model of the box
  await expect(page.getByRole('combobox', { name: 'Model', exact: true })).toContainText('Demo')
  // by key, beside the focused message
  await page.locator('body').press('m')
  await expect(menu.getByRole('menuitemradio', { name: 'scripted' })).toBeChecked()
  await page.keyboard.press('Escape')
  await expect(menu).toHaveCount(0)
  await expect(chat.lastReply().getByRole('button', { name: 'Ask another model' })).toBeFocused()
  // and from the palette
  await page.keyboard.press('ControlOrMeta+K')
  await page.keyboard.type('another model')
  await page.keyboard.press('Enter')
  await expect(menu).toBeVisible()
})

for (const size of ['wide', 'narrow'] as const) {
  test.describe(`versions, ${size}`, () => {
    test.use(size === 'narrow' ? phone : {})

    test('the number between the arrows lists every version; choosing one reads it', async ({
      chat,
      page,
    }) => {
      await openTwoReplies(page)
      await chat.lastReply().getByRole('button', { name: 'Ask another model' }).click()
      await page.getByRole('menuitemradio', { name: 'scripted' }).click()
      await expect(chat.lastReply()).toContainText('Hello from the scripted model')
      await chat.settled()
      // when
      const number = chat.lastReply().getByRole('button', { name: '2 / 2, Show all versions' })
      await number.click()
      // then
      const list = page.getByRole('dialog', { name: 'Show all versions' })
      const rows = list.getByRole('listitem')
      await expect(rows).toHaveCount(2)
      await expect(rows.nth(0)).toContainText(/devansh.*main.*Demo.*now/)
      await expect(rows.nth(1)).toContainText(/Hello from the scripted.*scripted’s answer.*scripted.*now/)
      await expect(rows.nth(1).getByRole('button')).toHaveAttribute('aria-current', 'true')
      await picture(page, `versions-${size}`)
      expect(await sidewaysScroll(page)).toBe(0)
      // by keyboard
      if (size === 'wide') {
        await expect(rows.nth(1).getByRole('button')).toBeFocused()
        await page.keyboard.press('ArrowUp')
        await page.keyboard.press('Enter')
      } else await rows.nth(0).getByRole('button').tap()
      await expect(list).toHaveCount(0)
      await chat.reads('main')
      await expect(chat.lastReply()).toContainText('devansh')
      await expect(chat.lastReply().getByText('1 / 2')).toBeVisible()
    })
  })
}

test.describe('on a phone', () => {
  test.use(phone)

  test('a wide table scrolls in its own box, with its words whole', async ({ chat, page }) => {
    const head = '| Straßenbahnhaltestelle | Abfahrtszeiten | Bemerkungen | Sehenswürdigkeiten |'
    const row = '| Hauptbahnhofsvorplatz | 08:12 | Barrierefreiheit | Nationalpalast und Park |'
    await openReply(page, `${head}\n|-|-|-|-|\n${row}\n${row}`)
    const box = chat.lastReply().getByRole('region', { name: 'Table' })
    await expect(box).toBeVisible()
    expect(await box.evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(true)
    const lines = await box
      .locator('th')
      .evaluateAll((cells) =>
        cells.map((cell) => cell.getClientRects().length && Math.round(cell.clientHeight / 24)),
      )
    expect(Math.max(...lines)).toBeLessThanOrEqual(1)
    expect(await sidewaysScroll(page)).toBe(0)
    const thread = await chat.lastReply().evaluate((reply) => {
      const scroller = reply.parentElement?.parentElement
      return scroller ? scroller.scrollWidth - scroller.clientWidth : null
    })
    expect(thread).toBe(0)
  })
})
