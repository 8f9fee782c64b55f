import { expect, it } from 'vitest'
import { commands } from '@/lib/cli/commands'
import { UsageError } from '@/lib/cli/errors'
import { helpOf, helpOfAll } from '@/lib/cli/help'
import { parseCall } from '@/lib/cli/parse-call'
import { openShell } from '@/testing/worlds/cli-world'

/** A command line as it was understood. */
function understood(...argv: string[]) {
  const parsed = parseCall(argv)
  if (!('command' in parsed)) throw new Error('It asks for no command')
  return { name: parsed.command.name, values: { ...parsed.values }, args: parsed.args }
}

const refusal = (...argv: string[]): string => {
  try {
    parseCall(argv)
  } catch (error) {
    if (error instanceof UsageError) return error.message
    throw error
  }
  throw new Error('It was understood')
}

it('given options before and after the command, then both count, and a short one takes its value either way', () => {
  const asked = { name: 'log', args: ['main'], values: { server: 'http://a', number: '3', json: true } }
  expect(understood('--server', 'http://a', '--json', 'log', '-n', '3', 'main')).toEqual(asked)
  expect(understood('log', '-n3', 'main', '--server=http://a', '--json')).toEqual(asked)
  expect(understood('log', 'HEAD~2').args).toEqual(['HEAD~2'])
  expect(understood('chat', '--', '-5', 'degrees?').args).toEqual(['-5', 'degrees?'])
})

it('given what makes no sense, then the words say what, and what would', () => {
  expect(refusal('mergee')).toBe(
    'There is no command “mergee”. Do you mean merge? `ramify --help` lists them.',
  )
  expect(refusal('log', '--grpah')).toContain('ramify log has no option --grpah.')
  expect(refusal('log', 'a', 'b')).toContain('“b” is too much')
  expect(refusal('merge')).toContain('ramify merge needs more')
  expect(refusal('log', '-n')).toContain('-n')
  expect(refusal('--json')).toBe('Name a command.')
  expect(refusal('\u001b[31mred')).not.toContain('\u001b')
})

it.each(commands.map((command) => [command.name, command] as const))(
  'given help for %s, then it says every form, option and example, and opens nothing',
  async (name, command) => {
    const shell = openShell({ open: () => Promise.reject(new Error('It was opened')) })
    const forms = [`help ${name}`, `${name} --help`, `${name} -h --json`].map((line) => line.split(' '))
    const asked = await Promise.all(forms.map((argv) => shell.run(argv)))
    shell.close()
    for (const { code, out, err } of asked) {
      expect({ code, err }).toEqual({ code: 0, err: '' })
      expect(out).toBe(`${helpOf(command)}\n`)
      for (const form of command.usage) expect(out).toContain(`ramify ${name} ${form}`.trim())
      for (const option of Object.keys(command.options)) expect(out).toContain(`--${option}`)
      for (const example of command.examples ?? []) {
        const [line = ''] = /ramify .*/.exec(example) ?? []
        const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '')
        expect(understood(...words.slice(1)).name).toBe(name)
      }
    }
  },
)

it('given --help, or a wrong command line, then help is told, with exit code 0 and 2', async () => {
  const shell = openShell()
  expect(await shell.run(['--help'])).toMatchObject({ code: 0, out: `${helpOfAll()}\n` })
  const err = expect.stringContaining('ramify: There is no command')
  expect(await shell.run(['lag'])).toMatchObject({ code: 2, out: '', err })
  const json = await shell.run(['lag', '--json'])
  expect(JSON.parse(json.err)).toMatchObject({ error: expect.stringContaining('lag'), exit_code: 2 })
  shell.close()
})

it('given no command, then the app is asked for, with its options', () => {
  expect(parseCall([])).toEqual({ app: { port: undefined, 'no-open': false } })
  expect(parseCall(['--port', '4000', '--no-open'])).toEqual({ app: { port: '4000', 'no-open': true } })
})
