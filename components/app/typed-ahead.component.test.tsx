import { useRef, useState } from 'react'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { deferred } from '@/components/app/deferred'
import { useKeys } from '@/components/app/use-keys'
import { Dialog } from '@/components/ui/dialog'
import { ListPanel, listButton } from '@/components/ui/list-panel'
import { SearchedList, type SearchedListHandle } from '@/components/ui/searched-list'

// What is typed while a list or a dialog is still loaded is for it.

interface ListProps {
  ref: React.Ref<SearchedListHandle>
  hasField: boolean
}

function List({ ref, hasField }: ListProps) {
  const [wanted, setWanted] = useState('')
  const places = ['Alfama', 'Belem', 'Porto']
  return (
    <SearchedList
      ref={ref}
      wanted={wanted}
      onWanted={setWanted}
      label="Place"
      listId="places"
      none="None."
      field={hasField ? { label: 'Find one', placeholder: '' } : null}
      names={places.map((place) => [place])}
    >
      {places.map((place) => (
        <div key={place} role="option" tabIndex={-1} aria-selected={place === 'Alfama'}>
          {place}
        </div>
      ))}
    </SearchedList>
  )
}

/** A message box, the button of a list, and the key of a dialog; the code of both comes when it is told to. */
async function givenPage({ hasField = true } = {}) {
  const sent = vi.fn()
  const code = Promise.withResolvers<void>()
  const LateList = deferred<ListProps>(() => code.promise.then(() => ({ default: List })))
  const LateDialog = deferred<{ open: boolean; onOpenChange(open: boolean): void }>(
    () =>
      code.promise.then(() => ({
        default: (props) => (
          <Dialog title="Commands" {...props}>
            <input aria-label="Command" />
          </Dialog>
        ),
      })),
    { floats: (props) => props },
  )
  function Page() {
    const [open, setOpen] = useState<'list' | 'dialog' | null>(null)
    const list = useRef<SearchedListHandle>(null)
    useKeys({ 'Ctrl+K': () => setOpen('dialog'), b: () => sent('a key of the page') })
    const onOpen = () => setOpen('list')
    return (
      <>
        <textarea aria-label="Message" onKeyDown={({ key }) => key === 'Enter' && sent('the message')} />
        <ListPanel
          label="Places"
          open={open === 'list'}
          onOpenChange={(next) => setOpen(next ? 'list' : null)}
          trigger={
            <button {...listButton({ label: 'Place', listId: 'places', open: open === 'list', onOpen })}>
              Place
            </button>
          }
          onOpened={() => list.current?.focus()}
          beside={{}}
        >
          {open === 'list' && <LateList ref={list} hasField={hasField} />}
        </ListPanel>
        {open === 'dialog' && <LateDialog open onOpenChange={() => setOpen(null)} />}
      </>
    )
  }
  await render(<Page />)
  const message = page.getByRole('textbox', { name: 'Message' })
  await message.click()
  return { message, sent, comes: code.resolve }
}

test('given a list that is still loaded, when letters are typed, then its field gets them, and nothing else does', async () => {
  const { message, sent, comes } = await givenPage()
  await page.getByRole('combobox', { name: 'Place' }).click()
  await userEvent.keyboard('belx{Backspace}')
  comes()
  const field = page.getByRole('searchbox', { name: 'Find one' })
  await expect.element(field).toHaveFocus()
  await expect.element(field).toHaveValue('bel')
  await userEvent.keyboard('em')
  await expect.element(field).toHaveValue('belem')
  await expect.element(message).toHaveValue('')
  expect(sent).not.toHaveBeenCalled()
})

test('given a list without a field, then a letter that was typed before leads to its option', async () => {
  const { sent, comes } = await givenPage({ hasField: false })
  await page.getByRole('combobox', { name: 'Place' }).click()
  await userEvent.keyboard('b')
  comes()
  await expect.element(page.getByRole('option', { name: 'Belem' })).toHaveFocus()
  expect(sent).not.toHaveBeenCalled()
})

test('given a dialog that is still loaded, when words are typed and entered, then it has them, and the message stays as it was', async () => {
  const { message, sent, comes } = await givenPage()
  const box = message.element()
  await userEvent.keyboard('{Control>}k{/Control}new chat{Enter}')
  comes()
  await expect.element(page.getByRole('textbox', { name: 'Command' })).toHaveValue('new chat')
  expect(box).toHaveValue('')
  expect(sent).not.toHaveBeenCalled()
})

test('given a list that was closed before it came, then letters go where the focus is', async () => {
  const { message, comes } = await givenPage()
  await page.getByRole('combobox', { name: 'Place' }).click()
  await userEvent.keyboard('por{Escape}')
  comes()
  await message.click()
  await userEvent.keyboard('yes')
  await expect.element(message).toHaveValue('yes')
})
