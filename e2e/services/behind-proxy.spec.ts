import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { AppServer } from '@/testing/machines/app-server'
import { freePort } from '@/testing/machines/free-port'
import { close, listen } from '@/testing/machines/listen'
import { copyTemplate } from '@/testing/machines/templates'
import { expect, otherPerson, test, watchErrors } from '../support/test'

/** A reverse proxy that asks the server under a name of its own, and says where the browser was. */
async function startProxy(port: number) {
  const proxy = createServer((asked, answer) => {
    const headers = {
      ...asked.headers,
      host: 'ramify.internal',
      'x-forwarded-host': asked.headers.host,
      'x-forwarded-proto': 'http',
      'x-forwarded-for': '192.0.2.7',
    }
    const passed = request(
      { port, host: '127.0.0.1', method: asked.method, path: asked.url, headers },
      (said) => {
        answer.writeHead(said.statusCode ?? 502, said.headers)
        said.pipe(answer)
      },
    )
    passed.on('error', () => answer.destroy())
    answer.on('close', () => passed.destroy())
    asked.pipe(passed)
  })
  const own = await listen(proxy)
  return { url: `http://localhost:${own}`, close: () => close(proxy) }
}

test('given a server behind a proxy that changes the host, when a person chats, then signing in, a reply and an action work', async ({
  browser,
}) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'ramify-proxied-'))
  copyTemplate('migrated', folder)
  const port = await freePort()
  const proxy = await startProxy(port)
  const server = new AppServer(port, {
    ...process.env,
    NODE_ENV: 'production',
    DATABASE_URL: '',
    RAMIFY_DATA_DIR: folder,
    RAMIFY_DEFAULT_MODEL: 'demo:demo',
    RAMIFY_TRUSTED_PROXIES: '1',
    BETTER_AUTH_URL: proxy.url,
    BETTER_AUTH_SECRET: 'a-secret-for-end-to-end-tests-and-nothing-else',
  })
  try {
    await server.start()
    const chat = await otherPerson(browser, proxy.url)
    const errors = watchErrors(chat.page)
    await chat.open()
    await chat.ask('My name is Ada.')
    await chat.ofChat('Checkpoint')
    await chat.page.getByRole('textbox', { name: /name/i }).fill('met')
    const acted = chat.page.waitForResponse(
      (response) => response.request().headers()['next-action'] !== undefined,
    )
    await chat.page.keyboard.press('Enter')
    expect((await acted).status()).toBe(200)
    await chat.reload()
    await expect(chat.messages).toHaveCount(2)
    expect(errors).toEqual([])
    await chat.page.context().close()
  } finally {
    await server.stop()
    await proxy.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
