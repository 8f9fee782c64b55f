import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { ChatDefaults, SentPrompt } from '@/lib/protocol'
import { chatId, openPage } from '@/testing/page/given'
import { lookInAllWays } from '@/testing/page/look'

// What a person sets for new chats is saved by itself, and the next new chat begins with it.

const box = page.getByRole('textbox', { name: 'Instructions', exact: true })
const stored = async (): Promise<ChatDefaults> => (await fetch('/api/chat-defaults')).json()

test('what new chats begin with is set without a button, taken back, and shown in the next new chat', async () => {
  await openPage('/settings/new-chats')
  await expect.element(page.getByRole('radiogroup', { name: 'Calculator: may it run?' })).toBeVisible()
  await lookInAllWays('settings-new-chats')
  await page.viewport(1440, 900)
  await page
    .getByRole('radiogroup', { name: 'Calculator: may it run?' })
    .getByRole('radio', { name: 'Ask' })
    .click()
  await expect.element(page.getByText('Saved. Your next new chat begins with it.')).toBeVisible()
  await expect
    .element(page.getByText('What the model may use in a new chat: 1 on, asking first.'))
    .toBeVisible()
  await box.click()
  await userEvent.keyboard('Answer in rhymes.')
  await expect.poll(stored).toMatchObject({ instructions: 'Answer in rhymes.', tools: { calculator: 'ask' } })
  await page.getByRole('combobox', { name: 'Model' }).click()
  await page.getByRole('option', { name: /scripted/ }).click()
  await expect.poll(stored).toMatchObject({ model: 'openai-compatible:scripted' })
  // the last change goes back, and the ones before it stay
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(stored).toMatchObject({ instructions: 'Answer in rhymes.', model: null })

  const chat = await openPage('/')
  await chat.ofChat('Instructions')
  await expect.element(box).toHaveValue('Answer in rhymes.')
  const panel = page.getByRole('region', { name: 'Instructions', exact: true })
  await expect.element(panel.getByRole('region', { name: 'Tools' })).toMatchTextContent('1 on, asking first')
  await chat.ask('what is 2+2')
  const { system }: SentPrompt = await (await fetch(`/api/chats/${chatId()}/prompt`)).json()
  expect(system).toContain('<instruction>Answer in rhymes.</instruction>')
})
