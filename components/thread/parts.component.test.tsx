import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { type ChatPage, css, expectCount, focus } from '@/testing/page/chat-page'
import { openChat, openPage, reload, turns } from '@/testing/page/given'
import { lookInAllWays } from '@/testing/page/look'

// A reply is more than its text: what the model thought, the tools it called, files and sources are kept and shown.

const everything = 'Show me all parts of a reply, and what is 2+2'

async function askForEverything(): Promise<ChatPage> {
  const chat = await openPage('/')
  await chat.ask(everything)
  return chat
}

test('reasoning, tools, a file and sources are shown beside the text, and what is in them opens', async () => {
  const chat = await askForEverything()
  const reply = chat.lastReply()
  const fold = (label: string) => reply.css('summary').filter({ hasText: label })
  // given a reply that is stored and drawn
  await expect.element(reply).toMatchTextContent(/built-in demo model/)
  await expect.element(fold('Thought for')).toBeVisible()
  await expect.element(fold('search')).toMatchTextContent(/\d s$/)
  await expect.element(fold('weather')).toMatchTextContent(/The weather service does not answer/)
  await expectCount(reply.getByText('The question is'), 0)
  // when each is opened, then what the model thought is read as Markdown, and values as they are
  await fold('Thought for').click()
  await expect.element(reply.css('strong').filter({ hasText: 'short' })).toBeVisible()
  await fold('search').click()
  const figure = (name: string) => reply.getByRole('figure', { name })
  await expect.element(figure('Arguments')).toMatchTextContent(/"query": "opening hours"/)
  await expect.element(figure('Result')).toMatchTextContent(/<b>closed<\/b> on Monday/)
  await focus(fold('weather'))
  await userEvent.keyboard('{Enter}')
  await expect.element(figure('Why it failed')).toMatchTextContent(/The weather service does not answer\.$/)
  // then the file is a picture, and only a source that leads to a page is a link
  await expect.element(reply.getByRole('img', { name: 'A file (image/png)' })).toBeVisible()
  const sources = reply.getByRole('region', { name: 'Sources' })
  await expectCount(sources.getByRole('link'), 1)
  await expect.element(sources.getByRole('link')).toHaveTextContent('Opening hours')
  await expect.element(sources).toMatchTextContent(/A link that runs/)
  await lookInAllWays('parts')
  // and the same stands after a reload
  await reload()
  await expect.element(fold('Thought for')).toBeVisible()
  await expect.element(fold('weather')).toMatchTextContent(/The weather service does not answer/)
  await expect.element(sources.getByRole('link')).toHaveAttribute('href', 'https://example.com/hours')
  // when the chat goes on, then the next reply is written
  await chat.ask('what is 5+5')
  await expect.element(chat.lastReply()).toMatchTextContent(/10/)
})

test('compared replies show their words as a difference, and their other parts as they are', async () => {
  const chat = await askForEverything()
  await chat.again()
  await expect.element(page.getByText('2 / 2')).toBeVisible()
  await chat.settled()
  await expect.element(chat.lastReply()).toHaveAttribute('data-status', 'done')
  await chat.ofChat('Compare')
  const replies = css('article[data-side][data-role="assistant"]')
  await expectCount(replies, 2)
  for (const at of [0, 1]) {
    const reply = replies.nth(at)
    await expect.element(reply.css('summary').filter({ hasText: 'search' })).toBeVisible()
    await expect.element(reply.getByRole('link', { name: 'Opening hours' })).toBeVisible()
  }
})

test('tools are chosen for a branch; one asks first and is allowed after a reload, and what another remembers is shown', async () => {
  const chat = await openChat({ branches: [{ name: 'main', says: turns('Hello') }] })
  await chat.ofChat('Instructions')
  const panel = page.getByRole('region', { name: 'Instructions', exact: true })
  const choose = (tool: string, approval: string) =>
    panel
      .getByRole('radiogroup', { name: `${tool}: may it run?` })
      .getByRole('radio', { name: approval })
      .click()
  await panel.getByRole('button', { name: 'Choose tools' }).click()
  await choose('Calculator', 'Ask')
  await choose('Remember', 'Always')
  await lookInAllWays('tool-choices')
  await page.viewport(1440, 900)
  await expect
    .element(panel.getByRole('region', { name: 'Tools' }))
    .toMatchTextContent('2 on, 1 asking first')
  await panel.getByRole('button', { name: 'Close instructions' }).click()
  // when the model calls the one that asks, then it waits
  await chat.send('calculate 2*(3+4)')
  const ask = page.getByRole('group', { name: 'May calculator run?' })
  await expect.element(ask).toBeVisible()
  await expectCount(chat.messages, 4)
  // also when the page is loaded again, and it is allowed by key
  await reload()
  await expect.element(ask).toMatchTextContent(/2 \* \(3 \+ 4\)/)
  await lookInAllWays('tool-asks')
  await focus(page.getByRole('button', { name: 'Allow calculator' }))
  await userEvent.keyboard('{Enter}')
  await expect.element(chat.lastReply()).toMatchTextContent(/The result is 14\./)
  await expectCount(ask, 0)
  await expectCount(chat.messages, 5)
  // the question and the answer are one line, in the message that asked
  await expect.element(chat.messages.nth(3)).toMatchTextContent(/calculator 2 \* \(3 \+ 4\)\s*14/)
  await expectCount(chat.lastReply().css('summary'), 0)
  // when it asks again and is always allowed here, then it asks no more on this branch
  await chat.send('calculate 5*(6+7)')
  await page.getByRole('button', { name: 'Always allow here: calculator' }).click()
  await expect.element(chat.lastReply()).toMatchTextContent(/The result is 65\./)
  await chat.ask('calculate 2*(1+1)')
  await expect.element(chat.lastReply()).toMatchTextContent(/The result is 4\./)
  await expectCount(ask, 0)
  // and the model remembers
  await chat.send('Remember that my cat is called Tom')
  await expect.element(chat.lastReply()).toMatchTextContent(/Remembered: my cat — my cat is called Tom/)
  await lookInAllWays('tools-used')
})
