import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { repoRoot } from '@/testing/runner/repo-root'
import { seedTurns } from '../support/openings'
import { expect, test } from '../support/test'

// The command line beside the page, on the built server, with a key of the person who has the page open.

test('what is said and moved in a shell is seen on the page at once, and undone there', async ({
  chat,
  baseURL,
}, testInfo) => {
  // each command is a process of its own
  const chatId = await seedTurns(chat, ['I am devansh', 'what is 2+2'])
  const made = await chat.page.request.post('/api/keys', { data: { name: 'shell' } })
  const { key } = await made.json()
  const env = {
    ...process.env,
    RAMIFY_SERVER: baseURL,
    RAMIFY_API_KEY: key,
    XDG_STATE_HOME: testInfo.outputPath('state'),
  }
  const ramify = async (...argv: string[]) => {
    const command = path.join(repoRoot, 'lib/cli/ramify.mjs')
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [command, ...argv], { env })
    expect(stderr.replace('Take it back with: ramify undo\n', ''), argv.join(' ')).toBe('')
    return stdout
  }
  await chat.open(`/c/${chatId}`)
  await expect(chat.messages).toHaveCount(4)

  // a message from the shell
  await ramify('checkout', chatId)
  expect(await ramify('chat', 'what is 3+3')).toBe('3 + 3 = 6\n')
  await expect(chat.messages).toHaveCount(6)
  await expect(chat.messages.last()).toContainText('3 + 3 = 6')

  // moves from the shell: each command of the API, as the framework serves it
  await ramify('tag', 'met', 'HEAD~4')
  await ramify('branch', 'aside', 'met')
  await ramify('branch', '-m', 'aside', 'sums')
  await ramify('branch', '-d', 'sums')
  await ramify('branch', '--unarchive', 'sums')
  await ramify('checkout', 'sums')
  await ramify('checkout', 'met')
  await ramify('checkout', '-b', 'again', 'main~2')
  await ramify('tag', '-d', 'met')
  expect(JSON.parse(await ramify('branch', '--json'))).toMatchObject([
    { name: 'main', messages: 6 },
    { name: 'sums', messages: 2 },
    { name: 'again', messages: 4, current: true },
  ])
  expect(await ramify('diff', 'main', 'again')).toContain('4 messages in common')
  expect(await ramify('export', '-f', 'markdown')).toContain('3 + 3 = 6')

  // what the shell has moved is the chat's: it opens there
  await chat.open(`/c/${chatId}`)
  await expect(chat.messages).toHaveCount(4)
  expect(await ramify('undo')).toContain('Took back: removed checkpoint “met”')
  expect(JSON.parse(await ramify('tag', '--json'))).toMatchObject([{ name: 'met' }])
})
