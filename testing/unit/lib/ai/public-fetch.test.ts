import { expect, it } from 'vitest'
import { explainError } from '@/lib/ai/explain-error'
import { isPublicAddress, PrivateAddressError, publicFetch } from '@/lib/ai/public-fetch'

it('given addresses of the internet and others, then they are told apart', () => {
  const inside = `127.0.0.1 127.8.9.1 10.0.0.1 172.16.0.1 192.168.1.1 169.254.169.254 0.0.0.0 100.64.0.1
    224.0.0.1 255.255.255.255 192.0.2.1 198.18.0.1 :: ::1 [::1] fe80::1 fe80::1%eth0 fd00::1 ff02::1
    ::ffff:127.0.0.1 ::ffff:a9fe:a9fe 64:ff9b::7f00:1 2002:7f00:1:: 2001:db8::1 localhost`
  // IPv6 that is given to no network of the internet
  const given = '4000::1 5f00::1 fec0::1 ::7f00:1 8000::1 e000::1 1fff::1 100::1'
  const open = '8.8.8.8 1.1.1.1 2606:4700:4700::1111 2a00:1450:4001::1 3fff:ffff::1 ::ffff:8.8.8.8'
  const all = ['', ...`${inside} ${given} ${open}`.split(/\s+/)]
  const told = all.map((address) => [address, isPublicAddress(address)])
  expect(told).toEqual(all.map((address) => [address, open.split(' ').includes(address)]))
})

it.each([
  ...['https://127.0.0.1/v1', 'https://[::1]/v1', 'https://2130706433/v1', 'https://0x7f.1/v1'],
  ...['https://0177.0.0.1/v1', 'https://169.254.169.254/latest', 'https://[::ffff:127.0.0.1]/v1'],
  ...['https://10.1.2.3:8443/v1', 'http://example.org/v1', 'ftp://example.org/v1'],
])('given %s, when it is asked, then nothing is sent, and the words say why', async (address) => {
  const error: unknown = await publicFetch(address).catch((refused: unknown) => refused)
  const causes = [error, error instanceof Error ? error.cause : undefined]
  expect(causes.some((cause) => cause instanceof PrivateAddressError)).toBe(true)
  expect(explainError(error)).toMatchObject({
    kind: 'refused',
    message: 'This server reaches providers at public https addresses only.',
  })
})

it('given a name that leads inside, when it is asked, then nothing is sent, and the answer is that of an unknown name', async () => {
  const explained = async (address: string) =>
    explainError(await publicFetch(address).catch((refused: unknown) => refused))
  const inside = await explained('https://localhost/v1')
  expect(inside.message).toBe('The model could not be reached: nothing answers at its address.')
  expect(inside).toEqual(await explained('https://no-such-name.invalid/v1'))
})
