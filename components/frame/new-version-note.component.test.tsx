import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { deferred } from '@/components/app/deferred'
import { noteNewVersion } from '@/components/app/new-version'
import type { OpenProps } from '@/components/ui/dialog'
import { intercept } from '@/testing/page/given'
import { NewVersionNote } from './new-version-note'

afterEach(() => noteNewVersion(false))

test('given a server with a newer version, when a dialog is asked for, then the one offer above the page answers', async () => {
  intercept(/part\.js$/, () => new Response(null, { status: 404 }))
  const Dialog = deferred<OpenProps>(
    () => Promise.reject(new TypeError('Failed to load chunk /_next/static/chunks/part.js from module 1')),
    { floats: (props) => props },
  )
  await render(
    <>
      <NewVersionNote />
      <Dialog open onOpenChange={() => undefined} />
    </>,
  )
  const reload = page.getByRole('button', { name: 'Reload the page' })
  await expect.element(reload).toHaveFocus()
  expect(reload.elements()).toHaveLength(1)
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
})
