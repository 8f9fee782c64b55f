import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { agentRun } from '@/testing/page/agent-run'
import { css, focus } from '@/testing/page/chat-page'
import { openChat } from '@/testing/page/given'
import { lookInAllWays } from '@/testing/page/look'

// The run of an agent is read at a glance: a line for each step, one for many, and the words between them.

test('given a run of sixty steps, then it is read at a glance, and opens to each call and its answer', async () => {
  const chat = await openChat(agentRun())
  await expect.element(chat.message('Every test passes')).toBeVisible()
  await lookInAllWays('agent-run', async (size) => {
    if (size === 'wide')
      await expect
        .element(chat.graph.getByRole('treeitem', { name: /steps, \d+ failed/ }).last())
        .toBeVisible()
  })
  await page.viewport(1440, 900)
  await expect.element(chat.graph.getByRole('treeitem').first()).toBeVisible()
  // given the words of the person and of the agent, and a line for all between
  await expect.element(chat.message('Go on, and leave the timer')).toBeVisible()
  const runs = css('#messages details[data-steps]')
  await expect.element(runs.last().css('summary').first()).toMatchTextContent(/^\d+ steps, \d+ failed$/)
  // when a run is opened, then each step is one line: the tool, what it was about, how it ended
  await runs.last().css('summary').first().click()
  const step = runs.last().getByRole('article', { name: 'Edit lease22.ts ✕ locked' }).first()
  await expect.element(step).toBeVisible()
  await expect.element(step).toMatchTextContent(/^Edit lease22\.ts\s*locked/)
  // and a step opens to what it changes, line by line, with words for those who see no colours, and to what came of it
  await step.css('summary').click()
  const diff = step.getByRole('figure', { name: '/repo/src/lease22.ts, edited' })
  await expect.element(diff).toMatchTextContent(/1 line added, 1 removed.*Removed: a\s*\+?Added: b/s)
  await step.getByText('Arguments as sent').click()
  await expect.element(step.getByRole('figure', { name: 'Arguments' })).toMatchTextContent(/old_string/)
  await expect.element(step.getByRole('figure', { name: 'Why it failed' })).toMatchTextContent(/locked/)
})

test('given a file of a thousand lines that is written, then its diff begins with some, and more is a click away', async () => {
  const content = Array.from({ length: 1000 }, (_, at) => `line ${at + 1}`).join('\n')
  const input = { file_path: 'long.txt', content }
  const call = { type: 'dynamic-tool', toolName: 'Write', toolCallId: 'write', input }
  const done = { ...call, state: 'output-available', output: 'ok' }
  const says = ['Write it', { role: 'assistant' as const, says: [done] }, 'Go on', 'Done.']
  await openChat({ branches: [{ name: 'main', says }] })
  await css('#messages summary').filter({ hasText: 'long.txt' }).click()
  const diff = page.getByRole('figure', { name: 'long.txt, written' })
  await expect.element(diff).toMatchTextContent(/1,000 lines added, 0 removed/)
  await expect.element(diff).not.toMatchTextContent(/line 41\b/)
  await diff.getByRole('button', { name: 'Show 960 more lines' }).click()
  await expect.element(diff).toMatchTextContent(/line 1000\b/)
})

test('given a step in a closed run, when it is opened in the outline, then the thread opens there', async () => {
  const chat = await openChat(agentRun())
  const fold = chat.graph.getByRole('treeitem', { name: /steps, \d+ failed.*folded/ }).last()
  await fold.click()
  const row = chat.graph.getByRole('treeitem', { name: 'Tool: Edit lease22.ts ✕ locked' }).last()
  await row.click()
  await focus(row)
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('article', { name: 'Edit lease22.ts ✕ locked' }).last()).toBeVisible()
})

test('given what an agent has added to a conversation, then it is one quiet line, which opens by key, and the person’s words are read', async () => {
  const environment = '<environment_context>\n  <cwd>/home/ada</cwd>\n</environment_context>'
  const chat = await openChat({
    branches: [
      {
        name: 'main',
        says: [
          { id: 'rules', role: 'system', says: 'You are an agent. Be kind.' },
          { id: 'where', role: 'user', says: environment },
          {
            id: 'ask',
            role: 'user',
            says: `<system-reminder>\nToday is Friday.\n</system-reminder>\nMend the till.`,
          },
          { id: 'done', role: 'assistant', says: 'It is mended.' },
        ],
      },
    ],
  })
  await expect.element(chat.message('Mend the till.')).toBeVisible()
  const lines = css('#messages summary').filter({ hasText: 'Context the agent added' })
  await expect.element(lines.first()).toMatchTextContent(/^Context the agent added · 2 parts · \d+ bytes$/)
  await expect.element(css('#messages')).not.toMatchTextContent(/Today is Friday|cwd|Be kind/)
  // when the line below the person's words is opened by key, then each part is there whole
  const own = chat.message('Mend the till.').css('summary')
  await focus(own)
  await userEvent.keyboard('{Enter}')
  await expect
    .element(page.getByRole('figure', { name: 'system reminder' }))
    .toMatchTextContent(/Today is Friday/)
  // and the outline says no more of it
  await expect
    .element(chat.graph.getByRole('treeitem', { name: 'Context the agent added' }).first())
    .toBeVisible()
  await lookInAllWays('added-context')
})

test('given more steps on one line than are loaded at once, then what was asked above them is loaded too', async () => {
  const step = (at: number) => {
    const call = {
      type: 'dynamic-tool',
      toolName: 'Read',
      toolCallId: `read-${at}`,
      state: 'output-available',
    }
    return {
      role: 'assistant' as const,
      says: [{ ...call, input: { file_path: `file${at}.ts` }, output: 'ok' }],
    }
  }
  const steps = Array.from({ length: 150 }, (_, at) => step(at))
  const chat = await openChat({
    branches: [{ name: 'main', says: ['Read all of it', ...steps, 'And now?', 'Done.'] }],
  })
  await expect.element(chat.message('Read all of it')).toBeVisible()
  await expect
    .element(css('#messages details[data-steps]').first().css('summary').first())
    .toMatchTextContent(/^150 reads/)
})
