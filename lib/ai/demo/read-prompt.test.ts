import { expect, it } from 'vitest'
import { cpuTime } from '@/testing/worlds/cpu-time'
import { demoModel } from '../demo-model'

const user = (text: string) => ({ role: 'user' as const, content: [{ type: 'text' as const, text }] })

it('given megabytes of statements, when the demo model answers, then it reads the latest of them, and soon', async () => {
  const statements = 'The tram is yellow and my favourite colour is green. '.repeat(100)
  const prompt = [
    user('My name is Ada'),
    ...Array.from({ length: 5000 }, () => user(statements)),
    user('My name is Ishmael'),
    user('What is my name?'),
  ]
  const took = cpuTime()
  const { content, usage } = await demoModel().doGenerate({ prompt })
  expect(took()).toBeLessThan(1000)
  expect(content).toMatchObject([{ type: 'text', text: expect.stringContaining('Your name is Ishmael') }])
  expect(usage.inputTokens.total).toBeGreaterThan(1_000_000)
})
