import { MessageChannel, Worker } from 'node:worker_threads'
import { InvalidRequestError } from '../errors'

/** Characters of a text that a pattern looks at. */
const LOOKED_AT = 100_000
/** A pattern may take so many ms, and try so often: a busy machine may give the thread none of that time. */
const [PATTERN_MS, TRIES] = [20, 3]
const HEAP_MB = 64

type Told = boolean | 'slow' | 'invalid'

/**
 * The program of the thread, as text: a file would have to be found in every build. Each pattern has a context of its own,
 * whose time the engine limits.
 */
const program = `
const { parentPort } = require('node:worker_threads')
const { createContext, Script } = require('node:vm')
const script = new Script('new RegExp(pattern, "i").test(text)')
const tell = (pattern, text) => {
  try {
    return script.runInContext(createContext({ pattern, text }), { timeout: ${PATTERN_MS} })
  } catch (error) {
    return error.name === 'SyntaxError' ? 'invalid' : 'slow'
  }
}
parentPort.on('message', ({ pattern, text, answer }) => {
  let told = 'slow'
  for (let tries = 0; told === 'slow' && tries < ${TRIES}; tries++) told = tell(pattern, text)
  answer.postMessage(told)
  answer.close()
})`

let thread: Worker | undefined
/** The latest pattern of each person that is waiting. */
const latest = new Map<string, Promise<Told>>()

/**
 * Tells whether a text matches a pattern of a person's. Patterns run one at a time in their own thread, so an
 * endless backtracking delays no request; it is cut off. A person's next pattern begins once the one before
 * has ended: a hundred of them delay another person's by one.
 *
 * @throws InvalidRequestError for a pattern that takes too long, or is not a pattern
 */
export async function matchesPattern(person: string, pattern: string, text: string): Promise<boolean> {
  const before = latest.get(person)
  const mine = (async () => {
    await before
    return askThread(pattern, text.slice(0, LOOKED_AT))
  })()
  latest.set(person, mine)
  const told = await mine
  if (latest.get(person) === mine) latest.delete(person)
  if (told === 'slow')
    throw new InvalidRequestError('This pattern takes too long. Choose a simpler one.', 'slow_pattern')
  if (told === 'invalid')
    throw new InvalidRequestError('This pattern is not a regular expression.', 'invalid_pattern')
  return told
}

/** Asks the thread. A thread that runs out of memory before its answer means the pattern is too slow. */
function askThread(pattern: string, text: string): Promise<Told> {
  const { port1: own, port2: answer } = new MessageChannel()
  return new Promise((resolve) => {
    own.once('message', resolve)
    own.once('close', () => resolve('slow'))
    runningThread().postMessage({ pattern, text, answer }, [answer])
  })
}

function runningThread(): Worker {
  if (thread) return thread
  const begun = new Worker(program, {
    eval: true,
    name: 'patterns',
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  })
  const forget = () => {
    if (thread === begun) thread = undefined
  }
  // its port tells this to the pattern that ended it
  begun.once('error', forget).once('exit', forget).unref()
  thread = begun
  return begun
}
