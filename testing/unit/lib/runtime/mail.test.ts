import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, it, vi } from 'vitest'
import { readEnv } from '@/lib/runtime/env'
import { openMail } from '@/lib/runtime/mail'

const text = 'https://chat.example.org/reset-password#t0ken'
const letter = { to: 'ada@example.org', subject: 'A link', text }

/** A post office of which another server hears, and its address. */
const settings = (port: number) =>
  readEnv({ SMTP_URL: `smtp://127.0.0.1:${port}`, BETTER_AUTH_URL: 'https://chat.example.org' })

/** A post office that takes every letter; its `letters` are as they were sent. */
async function postOffice() {
  const letters: string[] = []
  const server = createServer((socket) => {
    let letter: string | undefined
    socket.write('220 here\r\n')
    socket.on('data', (chunk) => {
      if (letter !== undefined) {
        letter += chunk
        if (!letter.endsWith('\r\n.\r\n')) return
        letters.push(letter)
        letter = undefined
        socket.write('250 taken\r\n')
      } else if (String(chunk).startsWith('DATA')) {
        letter = ''
        socket.write('354 go on\r\n')
      } else if (String(chunk).startsWith('QUIT')) socket.end('221 bye\r\n')
      else socket.write('250 ok\r\n')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { letters, port: (server.address() as AddressInfo).port, close: () => server.close() }
}

it('given SMTP_URL, when a letter is sent, then the server there has it, from the address of this one', async () => {
  const office = await postOffice()
  await openMail(settings(office.port)).send(letter)
  office.close()
  expect(office.letters).toHaveLength(1)
  for (const line of ['From: Ramify <ramify@chat.example.org>', 'To: ada@example.org', text])
    expect(office.letters[0]).toContain(line)
})

it('given a post office that is away, then the letter is logged as lost, without its text', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const office = await postOffice()
  office.close()
  await openMail(settings(office.port)).send(letter)
  const lines = logged.mock.calls.join('\n')
  logged.mockRestore()
  expect(lines).toContain('sending mail')
  expect(lines).not.toContain('t0ken')
})

it('given no SMTP_URL, then the letter is printed', async () => {
  const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  await openMail(readEnv({})).send(letter)
  const lines = printed.mock.calls.join('\n')
  printed.mockRestore()
  expect(lines).toContain(letter.text)
})

it('given settings of which half is missing, then the start is refused in one line that names the other half', () => {
  expect(() => readEnv({ SMTP_URL: 'smtp://mail.example.org' })).toThrow(/^BETTER_AUTH_URL is missing: .+$/)
  expect(() => readEnv({ GITHUB_CLIENT_ID: 'ramify' })).toThrow(/^GITHUB_CLIENT_SECRET is missing: .+$/)
  expect(() => readEnv({ GOOGLE_CLIENT_SECRET: 'shh' })).toThrow(/^GOOGLE_CLIENT_ID is missing: .+$/)
  expect(() => readEnv({ SMTP_URL: 'mail.example.org' })).toThrow(/^SMTP_URL must be .+$/)
})
