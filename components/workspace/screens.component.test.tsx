import { test } from 'vitest'
import { forkedChat, openChat, openPage } from '@/testing/page/given'
import { lookInAllWays } from '@/testing/page/look'

test('a new chat', async () => {
  await openPage('/')
  await lookInAllWays('empty')
})

test('a chat with branches, its graph beside it', async () => {
  await openChat(forkedChat)
  await lookInAllWays('chat')
})
