import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { OpenProps } from '@/components/ui/dialog'
import { intercept } from '@/testing/page/given'
import { type DeferredOptions, deferred } from './deferred'
import { noteNewVersion } from './new-version'
import { useKeys } from './use-keys'

// Code that comes after the page may fail to come: a moment offline, or a server with a newer version.

afterEach(() => noteNewVersion(false))

interface Words {
  words: string
}

/** The words of a bundler for code that is missing. */
const missing = 'Failed to load chunk /_next/static/chunks/part.js from module 1'

/** The answer of the server to a look for missing code. */
const givenServer = (status: number) => intercept(/part\.js$/, () => new Response(null, { status }))

const Part = ({ words }: Words) => <p>Part: {words}</p>

/** A component whose code is missing until it `comes`. */
function givenDeferred<Props extends object>(
  Component: (props: Props) => React.ReactNode,
  options?: DeferredOptions<Props>,
) {
  const code = { isThere: false, asked: 0 }
  const Later = deferred<Props>(async () => {
    code.asked++
    if (!code.isThere) throw new TypeError(missing)
    return { default: Component }
  }, options)
  return { Later, code }
}

const failed = page.getByRole('alert').filter({ hasText: 'could not be loaded' })
const again = page.getByRole('button', { name: 'Try again', exact: true })

test('a part of the page that could not be loaded says so in its place, and a new attempt shows it in every place', async () => {
  givenServer(503)
  const { Later, code } = givenDeferred(Part)
  await render(
    <>
      <input aria-label="Beside it" />
      <Later words="one" fallback={<p>Loading</p>} />
      <Later words="two" />
    </>,
  )
  const beside = page.getByRole('textbox', { name: 'Beside it' })
  await beside.fill('typed')
  await expect.element(failed.first()).toBeVisible()
  await expect.element(page.getByText('Loading')).not.toBeInTheDocument()
  // when it fails again, the place still says so
  await again.first().click()
  await expect.poll(() => code.asked).toBe(2)
  await expect.element(failed.first()).toBeVisible()
  // when the code is there
  code.isThere = true
  await again.first().click()
  await expect.element(page.getByText('Part: one')).toBeVisible()
  await expect.element(page.getByText('Part: two')).toBeVisible()
  await expect.element(failed.first()).not.toBeInTheDocument()
  await expect.element(beside).toHaveValue('typed')
})

test('it is loaded again without a click when the browser is online again, and when it is shown anew', async () => {
  givenServer(503)
  const online = givenDeferred(Part)
  const shown = await render(<online.Later words="online" />)
  await expect.element(failed).toBeVisible()
  online.code.isThere = true
  dispatchEvent(new Event('online'))
  await expect.element(page.getByText('Part: online')).toBeVisible()

  const anew = givenDeferred(Part)
  await shown.rerender(<anew.Later key="first" words="anew" />)
  await expect.element(failed).toBeVisible()
  anew.code.isThere = true
  await shown.rerender(<anew.Later key="second" words="anew" />)
  await expect.element(page.getByText('Part: anew')).toBeVisible()
})

test('a dialog that could not be loaded says so above the page, which can be used meanwhile; it can be closed, and is loaded when it is opened again', async () => {
  givenServer(503)
  const Asked = ({ open }: OpenProps) => <p>{open ? 'Asked' : 'Closed'}</p>
  const { Later, code } = givenDeferred<OpenProps>(Asked, { floats: (props) => props })
  let isOpen = true
  const props = (open: boolean) => ({ open, onOpenChange: (next: boolean) => (isOpen = next) })
  const shown = await render(<Later {...props(true)} />)
  await expect.element(failed).toBeVisible()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await failed.getByRole('button', { name: 'Close' }).click()
  await expect.poll(() => isOpen).toBe(false)
  await shown.rerender(<Later {...props(false)} />)
  await expect.element(failed).not.toBeInTheDocument()
  code.isThere = true
  await shown.rerender(<Later {...props(true)} />)
  await expect.element(page.getByText('Asked')).toBeVisible()
})

/**
 * A page with a message box, and a button and a key that ask for a dialog. Its code is asked for with the page: where that has
 * failed before the dialog is asked for, it is asked for a second time then.
 */
function givenAsking() {
  const { Later, code } = givenDeferred<OpenProps>(({ open }) => <p>{open ? 'Asked' : 'Closed'}</p>, {
    floats: (props) => props,
  })
  function Page() {
    const [open, setOpen] = useState(false)
    useKeys({ '?': () => setOpen(true), 'Ctrl+K': () => setOpen(!open) })
    return (
      <>
        <input aria-label="Beside it" />
        <button type="button" onClick={() => setOpen(true)}>
          Ask
        </button>
        <Later open={open} onOpenChange={setOpen} />
      </>
    )
  }
  return { Page, code }
}

test('given the note about a dialog, when its button or key is pressed once more, then it is loaded once more', async () => {
  givenServer(503)
  const { Page, code } = givenAsking()
  await render(<Page />)
  const ask = page.getByRole('button', { name: 'Ask' })
  await ask.click()
  await expect.element(failed).toBeVisible()
  const { asked } = code
  await ask.click()
  await expect.poll(() => code.asked).toBe(asked + 1)
  await expect.element(failed).toBeVisible()
  await userEvent.keyboard('?')
  await expect.poll(() => code.asked).toBe(asked + 2)
  await expect.element(failed).toBeVisible()
  await userEvent.keyboard('{Control>}k{/Control}')
  await expect.poll(() => code.asked).toBe(asked + 3)
  await expect.element(failed).toBeVisible()
  code.isThere = true
  await userEvent.keyboard('?')
  await expect.element(page.getByText('Asked')).toBeVisible()
  await expect.element(failed).not.toBeInTheDocument()
})

test('given the note about a dialog, then what is typed goes on below it, and Escape closes it', async () => {
  givenServer(503)
  const { Page, code } = givenAsking()
  await render(<Page />)
  await page.getByRole('textbox', { name: 'Beside it' }).click()
  await userEvent.keyboard('{Control>}k{/Control}')
  await expect.element(failed).toBeVisible()
  const { asked } = code
  await userEvent.keyboard('typed?')
  await expect.element(page.getByRole('textbox', { name: 'Beside it' })).toHaveValue('typed?')
  await userEvent.tab()
  await userEvent.tab()
  await expect.element(again).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(failed).not.toBeInTheDocument()
  expect(code.asked).toBe(asked)
})

test('what has a stand-in keeps it, and what nobody misses says nothing', async () => {
  givenServer(503)
  const told = givenDeferred(Part, { keepsFallback: 'told' })
  const untold = givenDeferred(Part, { keepsFallback: 'untold' })
  await render(
    <>
      <told.Later words="told" fallback={<p>Words above</p>} />
      <told.Later words="told" fallback={<p>Plain words</p>} />
      <untold.Later words="untold" fallback={<p>Quiet words</p>} />
    </>,
  )
  await expect.element(failed).toBeVisible()
  await expect.element(page.getByText('Words above')).toBeVisible()
  await expect.element(page.getByText('Plain words')).toBeVisible()
  await expect.element(page.getByText('Quiet words')).toBeVisible()
  expect(failed.elements()).toHaveLength(1)
})

test('an error of the component itself is not taken for code that is missing', async () => {
  const { Later, code } = givenDeferred(Part)
  code.isThere = true
  await render(<Later words="drawn" />)
  await expect.element(page.getByText('Part: drawn')).toBeVisible()
  expect(code.asked).toBe(1)
})

test('where the server has a newer version, a reload is offered instead of another attempt', async () => {
  givenServer(404)
  const { Later } = givenDeferred(Part)
  await render(<Later words="old" />)
  await expect.element(page.getByText(/Ramify has been updated since this page was opened/)).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Reload the page' })).toBeVisible()
  await expect.element(again).not.toBeInTheDocument()
})
