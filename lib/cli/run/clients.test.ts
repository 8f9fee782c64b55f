import { describe, expect, it } from 'vitest'
import { type ClientPlace, clientCall } from './clients'

const place = (over: Partial<ClientPlace> = {}): ClientPlace => ({
  origin: 'http://localhost:3000',
  key: 'rk_1',
  env: { HOME: '/nowhere' },
  mcp: false,
  ...over,
})

describe('a command through Ramify', () => {
  it('given any command, then it has the variables of both protocols, and its own arguments', () => {
    const call = clientCall(['./agent.py', '--fast', '--', '-c'], place())
    expect(call).toMatchObject({ client: undefined, command: './agent.py', args: ['--fast', '--', '-c'] })
    expect(call.env).toMatchObject({
      OPENAI_BASE_URL: 'http://localhost:3000/v1',
      OPENAI_API_KEY: 'rk_1',
      ANTHROPIC_BASE_URL: 'http://localhost:3000',
      ANTHROPIC_API_KEY: 'rk_1',
    })
  })

  it('given Claude Code, then a login of its own is left to it, and the key goes beside', () => {
    const without = clientCall(['/usr/bin/claude', '-p', 'Hi'], place())
    expect(without).toMatchObject({ client: 'Claude Code', args: ['-p', 'Hi'] })
    expect(without.env.ANTHROPIC_AUTH_TOKEN).toBe('rk_1')
    expect(without.env.ANTHROPIC_CUSTOM_HEADERS).toBeUndefined()
    const env = { HOME: '/nowhere', ANTHROPIC_API_KEY: 'sk-ant-own', ANTHROPIC_CUSTOM_HEADERS: 'x-team: a' }
    const own = clientCall(['claude'], place({ env }))
    expect(own.env.ANTHROPIC_CUSTOM_HEADERS).toBe('x-team: a\nx-ramify-key: rk_1')
    expect(own.env).not.toHaveProperty('ANTHROPIC_AUTH_TOKEN')
    expect(own.env).not.toHaveProperty('ANTHROPIC_API_KEY')
    // a key of Ramify from an earlier setting is no login
    const former = clientCall(['claude'], place({ env: { HOME: '/nowhere', ANTHROPIC_API_KEY: 'rk_0' } }))
    expect(former.env.ANTHROPIC_AUTH_TOKEN).toBe('rk_1')
  })

  it('given Codex, also by npx, then it is told by flags before its own words', () => {
    const call = clientCall(['npx', '-y', '@openai/codex@latest', 'exec', 'Hi'], place({ mcp: true }))
    expect(call).toMatchObject({ client: 'Codex', command: 'npx' })
    expect(call.args.slice(0, 4)).toEqual(['-y', '@openai/codex@latest', '-c', 'model_provider="ramify"'])
    expect(call.args.slice(-2)).toEqual(['exec', 'Hi'])
    expect(call.args.join(' ')).toContain('base_url="http://localhost:3000/v1"')
    expect(call.args.join(' ')).toContain('mcp_servers.ramify')
    // others see the arguments of a process
    expect(call.args.join(' ')).not.toContain('rk_1')
    const own = clientCall(['codex'], place({ env: { OPENAI_API_KEY: 'sk-own' } }))
    expect(own.args.join(' ')).toContain('env_http_headers={"x-ramify-key"="RAMIFY_API_KEY"}')
  })

  it('given opencode, then what its configuration says besides stays', () => {
    const given = JSON.stringify({ theme: 'dark', provider: { mine: { name: 'Mine' } } })
    const env = { HOME: '/nowhere', OPENCODE_CONFIG_CONTENT: given, ANTHROPIC_API_KEY: 'sk-ant-own' }
    const { env: set } = clientCall(['opencode', 'run', 'Hi'], place({ env, mcp: true }))
    expect(JSON.parse(set.OPENCODE_CONFIG_CONTENT ?? '')).toMatchObject({
      theme: 'dark',
      provider: {
        mine: { name: 'Mine' },
        openai: { options: { baseURL: 'http://localhost:3000/v1', apiKey: 'rk_1' } },
        anthropic: { options: { headers: { 'x-ramify-key': 'rk_1' } } },
      },
      mcp: { ramify: { type: 'remote', url: 'http://localhost:3000/mcp' } },
    })
    const broken = place({ env: { OPENCODE_CONFIG_CONTENT: '{' } })
    expect(() => clientCall(['opencode'], broken)).toThrow('OPENCODE_CONFIG_CONTENT')
  })
})
