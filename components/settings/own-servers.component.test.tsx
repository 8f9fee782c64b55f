import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectCount, focus } from '@/testing/page/chat-page'
import { intercept, openPage, reload } from '@/testing/page/given'
import { lookInAllWays } from '@/testing/page/look'
import { act } from '@/testing/page/server'

// A person's keys for model providers, the choice of a model, and a person's own servers of tools.

const KEY = 'a-key-of-a-person-9876'

const model = page.getByRole('combobox', { name: 'Model', exact: true })
const options = page.getByRole('option')
const server = page.getByRole('listitem').filter({ hasText: 'OpenAI-compatible server' })
const form = page.getByRole('form', { name: 'Key for OpenAI-compatible server' })
const onKey = (what: string) =>
  page.getByRole('button', { name: `${what} key for OpenAI-compatible server`, exact: true })

/** Fills the form of the compatible server and sends it by key. */
async function paste(key: string): Promise<void> {
  const { models } = await act('ownServers')
  await form.getByLabelText('Address').fill(models)
  await form.getByLabelText('Key, if it needs one').fill(key)
  await userEvent.keyboard('{Enter}')
}

/** Given a key that is saved. */
async function givenKey(): Promise<void> {
  const { models } = await act('ownServers')
  const saved = await fetch('/api/provider-keys/openai-compatible', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ key: KEY, base_url: models }),
  })
  expect(saved.ok).toBe(true)
}

async function choose(name: string): Promise<void> {
  await model.click()
  await page.getByRole('option', { name }).click()
}

test('a key is pasted, refused, corrected, and tested', async () => {
  // given the demo model, when its picker is opened, then it leads to the keys
  await openPage('/')
  await model.click()
  await page.getByRole('link', { name: 'Add a key' }).click()
  await expect.element(page.getByRole('heading', { name: 'Your keys' })).toBeVisible()
  expect(location.pathname).toBe('/settings/models')

  // when a wrong key is pasted, then it is refused in words, and nothing is saved
  await onKey('Add a').click()
  await expect.element(form.getByLabelText('Address')).toHaveFocus()
  await paste('a-wrong-key-0000')
  await expect.element(form.getByRole('alert')).toMatchTextContent(/refused this key/)
  await expect.element(server).toMatchTextContent(/No key/)
  await lookInAllWays('model-settings-refused')

  // when it is corrected, then it is saved, and only its end is shown, also after a reload
  await paste(KEY)
  await expect.element(server.getByRole('status')).toHaveTextContent('The key works and is saved.')
  await expect.element(server).toMatchTextContent(/Key ending in 9876/)
  await expectCount(form, 0)
  await expect.element(onKey('Replace the')).toHaveFocus()
  await reload()
  await expect.element(server).toMatchTextContent(/Key ending in 9876/)
  expect(document.documentElement.innerHTML).not.toContain(KEY)
  expect(JSON.stringify(await act('view', { path: '/settings/models' }))).not.toContain(KEY)

  // when it is tested, then it works
  await lookInAllWays('model-settings-saved')
  await onKey('Test the').click()
  await expect.element(server.getByRole('status')).toHaveTextContent('The key works: 6 models.')
})

test('given a longest silence that is no time, then the form says which are; one in minutes is saved with the key', async () => {
  await givenKey()
  await openPage('/settings/models')
  await onKey('Replace the').click()
  const silence = form.getByLabelText('Longest silence, in minutes')
  const save = form.getByRole('button', { name: 'Test and save' })
  for (const wrong of ['soon', '0', '1441']) {
    await silence.fill(wrong)
    await expect.element(form.getByRole('alert')).toMatchTextContent(/a number of minutes, from 0.02/)
    await expect.element(save).toBeDisabled()
  }
  await lookInAllWays('model-settings-silence')
  await silence.fill('7,5')
  await expect.element(form.getByRole('alert')).not.toBeInTheDocument()
  await form.getByLabelText('Key, if it needs one').fill(KEY)
  await save.click()
  await expect.element(server.getByRole('status')).toHaveTextContent('The key works and is saved.')
  await onKey('Replace the').click()
  await expect.element(silence).toHaveValue('7.5')
})

test.each(['Escape', 'Cancel'])(
  'a form that is cancelled with %s while its key is tested sends nothing more',
  async (how) => {
    await openPage('/settings/models')
    await onKey('Add a').click()
    // given a provider that takes its time
    const [asked, answers] = [Promise.withResolvers<AbortSignal>(), Promise.withResolvers<Response>()]
    intercept(/provider-keys/, ({ init }) => {
      if (init?.signal) asked.resolve(init.signal)
      return answers.promise
    })
    await paste(KEY)
    const signal = await asked.promise
    // when the form is cancelled, then the request is taken back, and its answer is not shown
    if (how === 'Escape') await userEvent.keyboard('{Escape}')
    else await form.getByRole('button', { name: how }).click()
    await expectCount(form, 0)
    expect(signal.aborted).toBe(true)
    answers.resolve(
      Response.json({ provider: 'openai-compatible', hint: '9876', saved_at: 0, readable: true }),
    )
    await expect.element(onKey('Add a')).toHaveFocus()
    await expect.element(server).toMatchTextContent(/No key/)
    await expectCount(server.getByRole('alert'), 0)
  },
)

test('the picker by key: search, favourites, and the focus', async () => {
  await givenKey()
  await openPage('/')
  const field = page.getByRole('searchbox', { name: 'Find a model' })
  const openByKey = async () => {
    await focus(model)
    await userEvent.keyboard('{ArrowDown}')
    await expect.element(field).toHaveFocus()
  }
  // given the open list, then the field has the focus, and every model says what it costs
  await openByKey()
  await expectCount(options, 8)
  await expect.element(page.getByRole('option', { name: 'llama-3' })).toMatchTextContent(/price not known/)
  await expect.element(page.getByRole('option', { name: /Demo/ })).toMatchTextContent(/free/)
  // when words are typed, then only models with them stay
  await userEvent.keyboard('mistral')
  await expectCount(options, 1)
  // when it is made a favourite by key
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(options.first()).toHaveFocus()
  await userEvent.keyboard('{Tab}')
  const favourite = page.getByRole('button', { name: 'Favourite: mistral-large' })
  await expect.element(favourite).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(favourite).toHaveAttribute('aria-pressed', 'true')
  // then it is the first of the whole list, in a group of its own
  await field.fill('')
  const favourites = page.getByRole('group', { name: 'Favourites' })
  await expectCount(favourites.getByRole('option'), 1)
  await expect.element(options.first()).toHaveAttribute('data-model', 'openai-compatible:mistral-large')
  // when words find nothing, then that is said
  await field.fill('nothing like it')
  await expect.element(page.getByText('No model has these words.')).toBeVisible()
  // when the list is left, then the focus is back where it was
  await userEvent.keyboard('{Escape}')
  await expectCount(field, 0)
  await expect.element(model).toHaveFocus()
  // when Enter is pressed in the empty field, then the choice stays; after words it is the first that has them
  await openByKey()
  await userEvent.keyboard('{Enter}')
  await expectCount(field, 0)
  await expect.element(model).toMatchTextContent(/Demo/)
  await expect.element(model).toHaveFocus()
  await openByKey()
  await userEvent.keyboard('mistral{Enter}')
  await expect.element(model).toMatchTextContent(/mistral-large/)
  // and a reload knows the favourite
  await reload()
  await model.click()
  await expectCount(favourites.getByRole('option'), 1)
  // when it is no favourite any more, by a pointer
  await favourites.css('[data-favourite=true]').click()
  await expectCount(favourites, 0)
  await expect.element(field).toBeVisible()
  await lookInAllWays('model-picker', () => focus(page.getByRole('option', { name: 'llama-3' })))
})

test('each branch keeps the model that was chosen on it, which answers until its key is removed', async () => {
  await givenKey()
  // given main with one model, and a branch with another
  const chat = await openPage('/')
  await choose('llama-3')
  await chat.ask('Hello')
  await expect.element(chat.lastReply()).toMatchTextContent(/llama-3 on your own server\./)
  await chat.showGraph()
  await chat.act(/^You: Hello/, 'Branch from here')
  // the branch is open when the box has the focus; until then main would get the next choice
  await expect.element(chat.box).toHaveFocus()
  await expect.element(model).toMatchTextContent(/llama-3/)
  await choose('qwen-3')
  await expect.element(model).toMatchTextContent(/qwen-3/)
  // when the branches are switched, then each has its own, also after a reload
  await chat.undo()
  await chat.reads('main')
  await expect.element(model).toMatchTextContent(/llama-3/)
  await reload()
  await expect.element(model).toMatchTextContent(/llama-3/)
  // and a new chat begins with the last choice
  await openPage('/')
  await expect.element(model).toMatchTextContent(/qwen-3/)
  // when the key is removed, then its models are gone
  await openPage('/settings/models')
  await onKey('Remove the').click()
  await expect.element(server).toMatchTextContent(/No key/)
  await expect.element(server.getByRole('status')).toHaveTextContent('The key is removed.')
  await openPage('/')
  await model.click()
  await expect.element(page.getByRole('option', { name: /scripted/ })).toBeVisible()
  await expectCount(page.getByRole('option', { name: 'qwen-3' }), 0)
})

test('tokens and cost by day', async () => {
  const chat = await openPage('/')
  await chat.ask('what do you see')
  // tokens are counted once per reply, a second after it at most
  await expect.poll(async () => (await (await fetch('/api/usage?days=30')).json()).chats).toHaveLength(1)
  await openPage('/settings/usage')
  await expect.element(page.getByRole('img', { name: /^Tokens of each day/ })).toBeVisible()
  await lookInAllWays('usage')
  await page.getByRole('radio', { name: 'Cost' }).click()
  await expect.element(page.getByRole('img', { name: /^Cost of each day/ })).toBeVisible()
})

test('a server of tools is added, refused in words, and removed', async () => {
  const { tools } = await act('ownServers')
  await openPage('/settings/models')
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Tools' }).click()
  await expect.element(page.getByRole('heading', { name: 'Your tool servers' })).toBeVisible()
  await page.getByRole('button', { name: 'Add a server' }).click()
  const added = page.getByRole('form', { name: 'New tool server' })
  await added.getByLabelText('Name').fill('mine')
  await added.getByLabelText('Address').fill(tools)
  await added.getByLabelText('Token').fill('wrong')
  await userEvent.keyboard('{Enter}')
  await expect.element(added.getByRole('alert')).toMatchTextContent(/mine refused the token/)
  await lookInAllWays('tool-server-form')
  await added.getByLabelText('Token').fill('a-token')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('mine is added: one tool.')).toBeVisible()
  await lookInAllWays('tool-servers')
  await page.getByRole('button', { name: 'Remove mine' }).click()
  await expect.element(page.getByText('You have no tool server.')).toBeVisible()
})
