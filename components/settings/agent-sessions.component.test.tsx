import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { type App, AppContext } from '@/components/app/app-context'
import { AgentSessions } from './agent-sessions'

const session = { client: 'codex', project: 'trips', messages: 4, at: '2026-03-14T09:26:53.589Z' }
const found = {
  sessions: [
    { ...session, id: 'codex/a', title: 'Mend the tests' },
    { ...session, id: 'codex/b', title: `Book a train ${'from the sea to the hills '.repeat(9)}` },
  ],
  problems: [],
  import_ids: [],
}

test('sessions of this machine are looked for, and the chosen ones are imported', async () => {
  const asked: string[] = []
  const onBegun = vi.fn(async () => undefined)
  const api = {
    fetch: async (_: string, { body }: { body: string }) => {
      asked.push(body)
      return Response.json(found)
    },
  }
  await render(
    <AppContext value={{ api } as unknown as App}>
      <AgentSessions onBegun={onBegun} />
    </AppContext>,
  )
  await page.getByRole('button', { name: 'Look for sessions' }).click()
  await expect.element(page.getByText('Codex · trips · 4 messages · 2026-03-14').first()).toBeVisible()
  const { scrollWidth, clientWidth } = document.documentElement
  expect(scrollWidth).toBe(clientWidth)
  await page.getByRole('checkbox', { name: /Book a train/ }).click()
  await page.getByRole('button', { name: 'Import 1' }).click()
  await expect.poll(() => onBegun.mock.calls.length).toBe(1)
  expect(asked).toEqual(['{"sessions":[]}', '{"sessions":["codex/b"]}'])
})
