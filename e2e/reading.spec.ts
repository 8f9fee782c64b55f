import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { type ScriptedReply, startOpenAIServer } from '@/testing/machines/openai-server'
import { sendTurn, signIn, userMessage } from './support/openings'
import { look, onEveryScreen, phone, sidewaysScroll } from './support/screens'
import { expect, providerPort, test } from './support/test'

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
  await page.goto(`/c/${id}`)
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
  page.locator('article[data-role="assistant"]').last().evaluate((reply) => reply.getBoundingClientRect().height)

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
    await picture.scrollIntoViewIfNeeded().catch(() => undefined)
    await chat.lastReply().locator('figure').last().scrollIntoViewIfNeeded()
    await expect(picture).toBeVisible({ timeout: 15_000 })
    await look(page, 'reading-end', screen)
    await chat.lastReply().locator('h1').scrollIntoViewIfNeeded()
    await look(page, 'reading-begin', screen)
    await chat.lastReply().locator('table').scrollIntoViewIfNeeded()
    await look(page, 'reading-table', screen)
  })
})
