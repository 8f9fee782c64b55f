import { expect, it } from 'vitest'
import { deviceWords } from '@/lib/server/identity/device-words'

const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0'
const apple = 'AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0'
it.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Safari/537.36 Edg/140.0.0.0`, 'Edge on Windows'],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) ${apple} Mobile/15E148 Safari/604.1`,
    'Safari on iPhone',
  ],
  [`Mozilla/5.0 (Linux; Android 16; Pixel 10) ${webKit} Mobile Safari/537.36`, 'Chrome on Android'],
  [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${apple} Safari/605.1.15`, 'Safari on macOS'],
  ['curl/8.9.1', 'curl'],
  ['', 'Unknown device'],
])('given %j, then it is %s', (agent, words) => {
  expect(deviceWords(agent)).toBe(words)
})
