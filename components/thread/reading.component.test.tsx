import { expect, test, vi } from 'vitest'
import { type Locator, page } from 'vitest/browser'
import { ChatPage, css, expectCount, expectSeen } from '@/testing/page/chat-page'
import { givenReply, goOn, onPhone, openChat, openPage, scripted, turns } from '@/testing/page/given'
import { expectAccessible, expectNoSidewaysScroll, lookInAllWays } from '@/testing/page/look'
import { hostileTexts } from '@/testing/worlds/hostile-texts'

// A reply is laid out while it is written as it will stand, and everything Markdown can say can be read.

/** Opens a chat whose only reply is a text. */
async function openReply(...texts: string[]): Promise<{ chat: ChatPage; reply: Locator }> {
  const chat = await openChat({
    branches: [{ name: 'main', says: texts.flatMap((text) => ['Show me', text]) }],
  })
  return { chat, reply: chat.lastReply() }
}

const diagram = `flowchart LR
  A[Lisbon] --> B{By train?}
  B -->|yes| C[Sintra]
  B -->|no| D[Cascais]`

const fenced = (source: string) => `\`\`\`mermaid\n${source}\n\`\`\`\n`

const everything = `# A day in Sintra
The first train leaves at **8:12** and takes forty minutes; buy the ticket for the park the evening before, because the queue is long.
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
> - one
> - two

\`\`\`ts
const stops = ['Pena', 'Regaleira']
\`\`\`

- [x] buy **tickets**
- [ ] pack
  - shoes

The energy is \\(E = mc^2\\), and the sum of the first numbers is

$$
\\sum_{k=1}^{n} k = \\frac{n(n+1)}{2}
$$

${fenced(diagram)}
---
#### In the end
A last paragraph that is long enough to take more than one line in the column it is read in, so that its end is where it is.`

/** The height of a reply, and its blocks: their text, and their distance below its beginning. */
function layoutOf(reply: Element): { height: number; blocks: string[] } {
  const { top, height } = reply.getBoundingClientRect()
  const parts = 'p, h1, h2, h3, h4, li, td, th, figure, blockquote, hr, .formula, input'
  const blocks = [...reply.querySelectorAll(`.reading :is(${parts})`)].map((part) => {
    const { x, y, width, height } = part.getBoundingClientRect()
    const place = [x, y - top, width, height].map((value) => Math.round(value * 10) / 10)
    return `${part.tagName} ${part.textContent?.trim().slice(0, 24)} ${place.join(' ')}`
  })
  return { height, blocks }
}

test('given a reply with everything, when it ends, then nothing of it moves, and all of it can be read', async () => {
  // given a reply that has come to its last word, and has not ended
  const question = 'Show me a day with everything'
  await givenReply(question, { text: [everything, ''], holdAfter: 1 })
  const chat = await openChat({ model: scripted, branches: [{ name: 'main', says: turns('Hello') }] })
  await chat.send(question)
  const reply = chat.lastReply()
  const picture = reply.getByRole('region', { name: 'Diagram' }).getByRole('img')
  await expect.element(reply).toMatchTextContent(/so that its end is where it is\./)
  await expectCount(reply.css('.katex-html'), 2)
  await expect.element(reply.css('.token').first()).toBeVisible()
  await expect.element(picture).toBeVisible()
  await document.fonts.ready
  const writing = layoutOf(reply.element())
  await expect.element(reply).toHaveAttribute('data-status', 'streaming')
  expect(writing.blocks.length).toBeGreaterThan(30)
  // when
  await goOn(question)
  // then
  await chat.settled()
  await expect.element(reply).toHaveAttribute('data-status', 'done')
  expect(layoutOf(reply.element())).toEqual(writing)
  // the boxes of tasks have the names of their tasks, and no bullets
  await expect.element(reply.getByRole('checkbox', { name: 'buy tickets', exact: true })).toBeChecked()
  await expect.element(reply.getByRole('checkbox', { name: 'pack', exact: true })).not.toBeChecked()
  const bullets = (item: Element) => getComputedStyle(item).listStyleType
  expect(reply.css('li:has(input), li:has(input) li').elements().map(bullets)).toEqual([
    'none',
    'none',
    'disc',
  ])
  await lookInAllWays('reading', () => expect.element(picture).toBeVisible())
})

test('formulas are drawn, their source is copied, and a dollar stays a dollar', async () => {
  const { reply } = await openReply(
    'It costs $5 or $6. Then \\(x_1^2\\) and\n\n\\[\n\\int_0^1 x\\,dx\n\\]\n\n`\\(code\\)` and \\(\\nonsense{\\) stays.',
  )
  await expectCount(reply.css('.katex-html'), 2)
  const first = reply.css('.reading p').first()
  await expect.element(first).toMatchTextContent(/It costs \$5 or \$6\./)
  await expect.element(reply.css('code')).toHaveTextContent('\\(code\\)')
  await expect.element(reply.getByText('\\(\\nonsense{\\)')).toBeVisible()
  // the style sheet came with the code: text for screen readers alone is not seen
  const spoken = reply.css('.katex-mathml').first()
  await expect.poll(() => spoken.element().getBoundingClientRect().width).toBeLessThanOrEqual(1)
  // when the first paragraph is selected, then what a copy takes is its source
  getSelection()?.selectAllChildren(first.element())
  const copied = getSelection()?.toString().replace(/\s+/g, ' ').trim()
  expect(copied).toBe('It costs $5 or $6. Then \\(x_1^2\\) and')
})

test('a diagram shows its source and back, follows the theme, and what is no diagram is explained', async () => {
  const { reply } = await openReply(`${fenced(diagram)}\n${fenced('flowchart\n  A --> ')}`)
  const picture = reply.getByRole('region', { name: 'Diagram' }).getByRole('img')
  await expectCount(picture, 1)
  await expect.element(reply.getByRole('status')).toMatchTextContent(/not a diagram Mermaid can draw/)
  await expect.element(reply.css('pre')).toMatchTextContent(/A -->/)
  // when its source is asked for
  await reply.getByRole('button', { name: 'Show source' }).click()
  await expect.element(reply.css('pre').first()).toMatchTextContent(/B\{By train\?\}/)
  await reply.getByRole('button', { name: 'Show diagram' }).click()
  await expect.element(picture).toBeVisible()
  // when the theme changes
  const light = picture.element().getAttribute('src') ?? ''
  await new ChatPage().ofAccount('Dark', 'menuitemradio')
  await expect.element(picture).not.toHaveAttribute('src', light)
})

test('model, time and tokens of a reply are seen while it is pointed at, and nothing moves for them', async () => {
  const chat = await openPage('/')
  await chat.ask('Hello')
  const reply = chat.lastReply()
  // one for wide windows, one for phones
  const facts = reply.getByText(/^Demo · \d\d:\d\d · [\d,]+ tokens in, [\d,]+ out$/)
  const before = reply.element().getBoundingClientRect()
  await chat.box.hover()
  await expectSeen(facts, 0)
  await reply.hover()
  await expectSeen(facts, 1)
  expect(reply.element().getBoundingClientRect()).toEqual(before)
  await chat.box.hover()
  await expectSeen(facts, 0)
  await reply.element().focus()
  await expectSeen(facts, 1)
  // the newest reply shows its actions, others do when they are pointed at
  await chat.ask('Hello again')
  await chat.box.hover()
  const copy = css('article[data-role="assistant"]').getByRole('button', { name: 'Copy', exact: true })
  const shown = () =>
    copy.elements().map((button) => getComputedStyle(button.parentElement ?? button).opacity)
  await expect.poll(shown).toEqual(['0', '1'])
})

test('“Jump to latest” goes when there is nothing to jump to', async () => {
  await page.viewport(1440, 420)
  const { chat } = await openReply('two hundred words '.repeat(66))
  const jump = await chat.scrollToStart()
  // when the window becomes large enough for all of it
  await page.viewport(1440, 1200)
  await expectCount(jump, 0)
})

test('on a phone, a wide table scrolls in its own box, with its words whole', async () => {
  await onPhone()
  const head = '| Straßenbahnhaltestelle | Abfahrtszeiten | Bemerkungen | Sehenswürdigkeiten |'
  const row = '| Hauptbahnhofsvorplatz | 08:12 | Barrierefreiheit | Nationalpalast und Park |'
  const { reply } = await openReply(`${head}\n|-|-|-|-|\n${row}\n${row}`)
  const box = reply.getByRole('region', { name: 'Table' })
  await expect.element(box).toBeVisible()
  const { scrollWidth, clientWidth } = box.element()
  expect(scrollWidth).toBeGreaterThan(clientWidth)
  for (const cell of box.css('th').elements()) {
    expect(cell.getClientRects().length).toBeGreaterThan(0)
    expect(Math.round(cell.clientHeight / 24)).toBeLessThanOrEqual(1)
  }
  expectNoSidewaysScroll()
  const thread = reply.element().parentElement?.parentElement
  expect(thread?.scrollWidth).toBe(thread?.clientWidth)
})

test('given ten staircases of lists, when one is opened, then it is plain and folded, and copied whole', async () => {
  const staircase = hostileTexts['a staircase of lists']?.(18_000) ?? ''
  const { reply } = await openReply(...Array<string>(10).fill(staircase))
  await expect.element(reply).toMatchTextContent(/Shown as plain text/)
  await reply.getByRole('button', { name: /^Show all \([\d,]+ characters\)$/ }).click()
  await expect.element(reply.getByRole('button', { name: 'Show less' })).toBeVisible()
  await expectAccessible()
  expectNoSidewaysScroll()
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValueOnce()
  await reply.getByRole('button', { name: 'Copy', exact: true }).click()
  expect(copied).toHaveBeenCalledExactlyOnceWith(staircase)
  copied.mockRestore()
})

test('given replies at the limit of what is drawn, then they are drawn one after another', async () => {
  await openReply(...Array<string>(10).fill(hostileTexts['one list']?.(1900) ?? ''))
  const replies = css('article[data-role="assistant"]')
  await expect.element(replies.last().css('li').first()).toBeVisible()
  // the end that is drawn first may still pull the view to it
  await expect
    .poll(() => {
      replies.first().element().scrollIntoView()
      return replies.first().css('li').elements()
    })
    .not.toEqual([])
})
