import { expect, it } from 'vitest'
import { safeImage, safeLink } from '@/components/thread/markdown/safe-url'

it.each([
  ...['javascript:alert(1)', ' javascript:alert(1)', 'java\nscript:alert(1)', 'vbscript:x'],
  ...['data:text/html,x', '//evil.test', 'file:///etc/passwd', '', null],
])('does not follow %j', (href) => expect(safeLink(href)).toBeNull())

it.each(['https://example.com/', 'http://example.com/a?b#c', 'mailto:a@example.com', '#there'])(
  'follows %s',
  (href) => expect(safeLink(href)).toBe(href),
)

it.each([
  ...['https://evil.test/p.png', '//evil.test/p.png', '/\\evil.test/p.png', '/\t/evil.test'],
  ...['data:image/svg+xml;base64,x', 'blob:x', 'p.png', undefined],
  ...['/api/export', '/api/chats/c/export?format=json', '/c/x', '/icon.svg', '/files/a.png', '/'],
  ...['/api/files/../export', '/api/files/%2e%2e/export', '/api/files/..', '/api/files/', '/api/files/a/b'],
  ...['/api/files/a?x', '/api/files/a#x', '/api/files/a\n', ' /api/files/a', '/API/files/a', '//api/files/a'],
  ...['/s/t/graph', '/s/t/files/..', '/s/../api/files/a', '/s/t/opengraph-image', 'api/files/a'],
])('does not load %j', (src) => expect(safeImage(src)).toBeNull())

it.each(['/api/files/019d3c1e-9d08', '/s/kQ_x-1/files/019d3c1e', 'data:image/png;base64,iVBOR'])(
  'loads %s',
  (src) => expect(safeImage(src)).toBe(src),
)
