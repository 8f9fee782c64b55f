import { expect, test } from 'vitest'
import { faultOfRedirect } from './redirect-uris'

test.each([
  ...[
    'https://claude.ai/api/mcp/auth_callback',
    'http://localhost:33418/callback',
    'http://127.0.0.1/',
    'http://[::1]:1/',
  ],
  ...[
    'cursor://anysphere.cursor-retrieval/oauth/callback',
    'vscode://vscode.github-authentication/did-authenticate',
  ],
  ...[
    'vscode-insiders://x/y',
    'com.example.app:/callback',
    'org.example.my-app://callback',
    'COM.Example.App:/x',
  ],
])('given %s, where an app waits, then a code is sent there', (uri) =>
  expect(faultOfRedirect(uri)).toBeUndefined(),
)

test.each([
  ...[
    'search-ms:query=x',
    'ms-settings:privacy',
    'ms-msdt:/id',
    'ms-appinstaller:?source=x',
    'search:x',
    'javascript:alert(1)',
  ],
  ...[
    'JavaScript:alert(1)',
    'data:text/html,x',
    'blob:https://x.example/1',
    'file:///etc/passwd',
    'about:blank',
  ],
  ...[
    'x-apple.systempreferences:com.apple.preference',
    'shell:startup',
    'ldap://x.example/',
    'ssh://x.example',
    'mailto:a@b.example',
  ],
  ...[
    'calculator:',
    'steam://run/1',
    'itms-services://?x',
    'vscodex://x',
    'cursor.:x',
    '.example:/x',
    'ws://localhost/',
  ],
  ...[
    'http://elsewhere.example/',
    'http://localhost.evil.example/',
    'http://127.0.0.1.evil.example/',
    'nothing',
  ],
])('given %s, then a code is not sent there, and the words say why', (uri) =>
  expect(faultOfRedirect(uri)).toMatch(/\w+/),
)
