import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { App, readView } from '@/testing/page/app'

const note = page.getByText('all you write is deleted an hour after you came')

test('given a demo, when its page is opened, then a line above it says so; other servers have none', async () => {
  const view = await readView('/')
  const access = (demo: boolean) => ({
    ...view,
    frame: { ...view.frame, access: { ...view.frame.access, demo } },
  })
  const { rerender } = await render(<App key="other" first={access(false)} />)
  await expect.element(page.getByRole('textbox', { name: 'Message', exact: true })).toBeVisible()
  await expect.element(note).not.toBeInTheDocument()
  await rerender(<App key="demo" first={access(true)} />)
  await expect.element(note).toBeVisible()
})
