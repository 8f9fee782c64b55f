import { gzipSync } from 'node:zlib'

/** What no honest client says, by the place where it stands. */

export const words = (line: string): string[] => line.split(' ')

/** Pieces of an address. */
export const oddPieces = [
  ...words(
    `%00 %ff % %e0%a4 %2e%2e .. \\ ; | ' " < {} [ 😀 null undefined -1 1e999 __proto__ constructor \u00ff`,
  ),
  ...['%0d%0aX: y', 'a'.repeat(3000), '/'.repeat(200)],
]

/** An id as no server gave it, from one that it gave. */
export const oddIds: readonly ((id: string) => string)[] = [
  (id) => id.toUpperCase(),
  (id) => `{${id}}`,
  (id) => `urn:uuid:${id}`,
  (id) => id.replaceAll('-', ''),
  (id) => `${id}%00`,
  (id) => `${id}%20`,
  (id) => `%2f${id}`,
  (id) => `${id}%2f..%2f${id}`,
  (id) => `${id}/../${id}`,
  (id) => `${id}.json`,
  (id) => `${id};${id}`,
  (id) => `${id},${id}`,
  (id) => `${id}'--`,
  (id) => encodeURIComponent(id.replaceAll('a', 'а').replaceAll('0', '٠')),
  () => '..',
  () => '%2e%2e',
  () => '%252e%252e',
  () => 'a'.repeat(5000),
  () => encodeURIComponent('😀'.repeat(60)),
  () => encodeURIComponent('é'.normalize('NFD').repeat(64)),
  () => '%ed%a0%80',
  () => '0',
  () => '-1',
  () => 'null',
  () => '00000000-0000-0000-0000-000000000000',
]

/** What follows an address from its question mark on. */
export const oddQueries = [
  ...['limit=1&limit=2', 'limit[]=1', 'limit=1e3', 'limit=0', 'limit=-1', 'limit=NaN', 'limit=Infinity'],
  ...['limit=99999999999999999999', 'limit=0x10', 'limit=1.5', 'limit=', 'since=-1', 'since=1e400'],
  ...['since=9007199254740993', 'after=-0', 'before=%00', 'cursor=%00', 'cursor=e30', 'cursor=W10='],
  ...['cursor=eyJ4IjoxfQ==', 'branch=%00', 'branch=', 'q=%00', 'q=%ed%a0%80', `q=${'a'.repeat(9000)}`],
  ...[
    'q=%',
    'q=%zz',
    'chat=%2e%2e',
    'format=exe',
    'format=html&format=json',
    'sort=__proto__',
    '__proto__=1',
  ],
  ...['constructor[prototype]=1', '&&&&', '=', '?', '#', 'archived=maybe', 'columns=nodes&columns=x'],
  ...[
    `${'a=1&'.repeat(2000)}`,
    'offset=-5&limit=-5',
    'graph=1&graph=0',
    '_rsc=%00',
    '_rsc=x',
    'to=-1',
    'from=x',
  ],
]

/** A thing deep inside things. */
const deep = (levels: number): unknown => {
  let value: unknown = 1
  for (let i = 0; i < levels; i++) value = i % 2 ? [value] : { a: value }
  return value
}

/** Values of a field. */
export const oddValues: readonly unknown[] = [
  ...[null, true, false, 0, -0, -1, 0.5, 1e308, -1e308, 5e-324, 2 ** 31, 2 ** 53, -(2 ** 63), 1e21],
  ...[
    '',
    ' ',
    '\n',
    'a'.repeat(200_000),
    '\u0000',
    'a\u0000b',
    '\ud800',
    'a\udfff',
    '\u202e',
    '\ufeff',
    '\ufffe',
  ],
  ...[[], {}, [[[]]], [null], [[], {}], { a: 1 }, { toString: 1 }, { length: 1e9 }, { $ne: 1 }],
  ...[
    'null',
    'NaN',
    'Infinity',
    '-1',
    '1e999',
    '$F1',
    '$undefined',
    '$$x',
    'main',
    '9'.repeat(400),
    '__proto__',
  ],
  ...[
    { constructor: { prototype: { a: 1 } } },
    Array(2000).fill(0),
    Array(300).fill(''),
    deep(60),
    deep(70),
    deep(3000),
  ],
  ...[
    '2026-13-45T99:99:99Z',
    '-271821-04-20T00:00:00Z',
    '+275760-09-13T00:00:00.001Z',
    '0000-01-01T00:00:00Z',
  ],
  ...[
    'javascript:alert(1)',
    'http://[::1',
    'https://127.0.0.1:1/',
    'file:///etc/passwd',
    'data:,',
    'é'.repeat(128),
  ],
  ...[
    Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`k${i}`, i])),
    'e\u0301'.repeat(100),
    '😀'.repeat(70),
  ],
]

/** What JSON.stringify cannot write. */
export const oddJson = [
  ...[
    '{"a":NaN}',
    '{"a":1e999}',
    '{"a":-1e999}',
    '{"a":01}',
    '{"a":.5}',
    '{"a":1,}',
    "{'a':1}",
    '{"a":1}{"b":2}',
  ],
  ...[
    '{"a":1,"a":2}',
    '{"__proto__":{"a":1}}',
    '{"constructor":{"prototype":{}}}',
    '{"\\u0000":1}',
    '{"\\ud800":1}',
  ],
  ...[
    '\ufeff{}',
    '{"a":"\\x"}',
    '{"a":"\t"}',
    '{"a":tru',
    '"',
    '""',
    'null',
    '0',
    '[]',
    '',
    ' ',
    '\0',
    '{"a":/**/1}',
  ],
  ...['{"a":'.repeat(100), '['.repeat(5000), `{"a":[${'{},'.repeat(30_000)}{}]}`, 'a'.repeat(1_200_000)],
  ...[`{"a":${'9'.repeat(100_000)}}`, `{"${'k'.repeat(90_000)}":1}`, `[${'"",'.repeat(2000)}""]`],
]

export const oddTypes = [
  ...['', 'text/plain', 'application/xml', 'multipart/form-data', 'multipart/form-data; boundary=x', 'x'],
  ...['application/json; charset=utf-16', 'application/x-www-form-urlencoded', 'a'.repeat(500), ';', '/'],
  ...[
    'text/plain;charset=UTF-8',
    'application/json, application/json',
    'application/JSON ; x',
    'application/json\t',
  ],
  ...[
    'multipart/form-data; boundary=',
    `multipart/form-data; boundary=${'b'.repeat(300)}`,
    'multipart/mixed; boundary=b',
  ],
  ...['multipart/form-data; boundary="', 'application/problem+json', 'application/vnd.api+json'],
]

const crlf = (...lines: string[]): string => lines.join('\r\n')
const disposed = 'Content-Disposition: form-data; name="file"; filename='

export const honestForm = crlf(
  '--b',
  `${disposed}"a.txt"`,
  'Content-Type: text/plain',
  '',
  'a text',
  '--b--',
  '',
)

/** Bodies of forms with the boundary `b`. */
export const oddForms = [
  ...[
    '',
    '--b',
    '--b--',
    '--b\r\n',
    '--b\r\n\r\n',
    '--c\r\n\r\nx\r\n--c--',
    `--b\r\n${disposed}"a.txt"\r\n\r\nx`,
  ],
  crlf('--b', `${disposed}"a.txt"`, '', 'x', '--b'),
  crlf('--b', `${disposed}"../../../etc/passwd"`, '', 'x', '--b--', ''),
  crlf('--b', `${disposed}"${'a'.repeat(9000)}.txt"`, '', 'x', '--b--', ''),
  crlf('--b', `${disposed}"\u0000\ud83d\u202e.txt"`, '', 'x', '--b--', ''),
  crlf('--b', `${disposed}"a.txt`, '', 'x', '--b--', ''),
  crlf('--b', `${disposed}`, '', 'x', '--b--', ''),
  crlf('--b', 'Content-Disposition: form-data; name="other"', '', 'x', '--b--', ''),
  crlf('--b', 'Content-Disposition: attachment', '', 'x', '--b--', ''),
  crlf('--b', `${disposed}"a.txt"`, 'Content-Type: image/png', '', '\x89PNG\r\n\x1a\n', '--b--', ''),
  crlf('--b', `${disposed}"a.txt"`, 'Content-Transfer-Encoding: base64', '', '%%%', '--b--', ''),
  crlf('--b', `${disposed}"a.txt"`, '', 'x', '--b', `${disposed}"b.txt"`, '', 'y', '--b--', ''),
  crlf('--b', `${'X-Many: y\r\n'.repeat(3000)}`, '', 'x', '--b--', ''),
  crlf('--b', `X-Long: ${'y'.repeat(90_000)}`, '', 'x', '--b--', ''),
  `${crlf('--b', 'Content-Disposition: form-data; name="a"', '', 'x', '').repeat(3000)}--b--`,
]

const forwarded = ['evil.example', 'a, b', '😀', 'http://x']
const bypass = ['middleware:middleware:middleware:middleware:middleware']
const hostileValues: Readonly<Record<string, readonly string[]>> = {
  Origin: words('null https://evil.example http:// file:// 😀'),
  Referer: words('https://evil.example/ http:// 😀'),
  'Sec-Fetch-Site': words('cross-site same-site none x'),
  'Sec-Fetch-Mode': words('navigate no-cors websocket x'),
  'Sec-Fetch-Dest': words('image script iframe document empty x'),
  Host: [
    ...['', 'a b', 'a'.repeat(300)],
    ...words('ramify_app:3000 example.org. [::1 [::1]:80 a:99999 ex%41mple ..'),
  ],
  'Transfer-Encoding': ['gzip', 'chunked, gzip', 'x'],
  'Content-Encoding': ['gzip', 'br', 'x', 'deflate, gzip'],
  Authorization: [
    ...['Bearer', 'Bearer x', 'bearer  rk_x', 'Basic YTpi', 'Bearer \u00ff', `Bearer ${'a'.repeat(9000)}`],
    ...['Bearer rk_', 'Bearer rk_0000 x', 'Basic Og==', 'Basic !!!', 'Digest a="b"', 'Bearer a, Bearer b'],
  ],
  Cookie: ['%', 'better-auth.session_token=x', 'a=b; a=c; ;;=', '\u00ff', 'a'.repeat(9000)],
  'Next-Router-State-Tree': words('[ %5B%5D [""] ["",{},null,null,true] %ff null {}'),
  RSC: ['1', 'x', ''],
  'Next-Router-Prefetch': ['1', 'x', ''],
  'Next-Router-Segment-Prefetch': ['/_tree', '/..', '%', 'x', '/c/$d$id/__PAGE__'],
  'Next-Action': ['x', '0'.repeat(40), '4'.repeat(42), ''],
  'Next-Url': words('/../.. http://evil.example %ff 😀'),
  'Last-Event-ID': ['x', '-1', '0', '99999999999999999999', 'x, y', '1.5', '1e3', '\u0001'],
  'Idempotency-Key': ['\u0001', 'a'.repeat(300), '', '😀', 'a', '%00'],
  'X-Forwarded-Host': forwarded,
  'X-Forwarded-For': forwarded,
  'X-Forwarded-Proto': forwarded,
  Forwarded: forwarded,
  'x-middleware-subrequest': bypass,
  'x-nextjs-data': bypass,
  'x-invoke-path': bypass,
  'x-matched-path': bypass,
  'x-now-route-matches': bypass,
  'x-ramify-chat': words('x %00 .. 😀'),
  'x-ramify-branch': words('x %00 .. 😀'),
  'x-ramify-message': words('x %00 .. 😀'),
  'mcp-protocol-version': words('x 1999-01-01'),
  'mcp-session-id': words('x %00'),
  'If-None-Match': ['*', 'x', '"x", W/"y"', '"'.repeat(900), '\u00ff'],
  'If-Match': ['*', '"x"'],
  'If-Modified-Since': ['x', 'Thu, 01 Jan 2099 00:00:00 GMT', '-1'],
  'If-Range': ['"x"', 'x'],
  Range: [
    'bytes=0-',
    'bytes=9-1',
    'x',
    'bytes=-99999999999',
    'bytes=0-0,0-0,0-0',
    `bytes=${'0-1,'.repeat(900)}`,
  ],
  Expect: ['100-continue', 'x'],
  Accept: ['text/event-stream', '*', 'text/x-component', '\u00ff', 'application/gzip', ''],
  'Accept-Encoding': ['identity;q=0, *;q=0', 'x', 'gzip;q=-1'],
  Upgrade: ['websocket', 'h2c'],
  Connection: ['Upgrade', 'close, keep-alive, x'],
  TE: ['trailers, x'],
  traceparent: ['00-zz', `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01`],
  'Accept-Language': [`${'x,'.repeat(3000)}`],
  'X-Giant': ['a'.repeat(7000), 'a'.repeat(15_000), 'a'.repeat(20_000)],
  'X-HTTP-Method-Override': words('DELETE TRACE'),
}

export const oddHeaders = Object.entries(hostileValues).flatMap(([name, all]) =>
  all.map((value) => [name, value] as const),
)

/** What is no request at all. */
export const noHttp = [
  'GET\r\n\r\n',
  'GET / HTTP/9.9\r\nHost: a\r\n\r\n',
  'GET / HTTP/1.1\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
  'GET http://evil.example/api/health HTTP/1.1\r\nHost: localhost\r\n\r\n',
  `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: localhost\r\n${'X: y\r\n'.repeat(3000)}\r\n`,
  'POST /api/chat HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  'POST /api/chat HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'GET / HTTP/1.0\r\n\r\n',
  'GET //evil.example/%2e%2e HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
]

let packed: Buffer | undefined

/** Twenty kilobytes that unpack to twenty megabytes. */
export function gzipBomb(): Buffer {
  packed ??= gzipSync(Buffer.alloc(20_000_000, ' '))
  return packed
}
