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
  // given the words of the person and of the agent, and a line for all between
  await expect.element(chat.message('Go on, and leave the timer')).toBeVisible()
  const runs = css('#messages details[data-steps]')
  await expect.element(runs.last().css('summary').first()).toMatchTextContent(/^\d+ steps, \d+ failed$/)
  // when a run is opened, then each step is one line: the tool, what it was about, how it ended
  await runs.last().css('summary').first().click()
  const step = runs.last().getByRole('article', { name: 'Edit lease22.ts ✕ locked' }).first()
  await expect.element(step).toBeVisible()
  await expect.element(step).toMatchTextContent(/^Edit lease22\.ts\s*locked/)
  // and a step opens to what it was called with and what came of it
  await step.css('summary').click()
  await expect.element(step.getByRole('figure', { name: 'Arguments' })).toMatchTextContent(/old_string/)
  await expect.element(step.getByRole('figure', { name: 'Why it failed' })).toMatchTextContent(/locked/)
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
