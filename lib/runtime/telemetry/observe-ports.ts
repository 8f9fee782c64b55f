import type { Change, Committed } from '@/lib/context'
import type { Ports } from '@/lib/conversations'
import { RunSpans } from './run-spans'
import type { Attributes, Span, Telemetry } from './telemetry'

/**
 * Returns a function that wraps ports so that they report how long commits take, how long runs wait and when the first
 * word of a reply comes. The use cases know nothing of it, and errors pass unchanged.
 */
export function observePorts(telemetry: Telemetry): (ports: Ports) => Ports {
  const runs = new RunSpans(telemetry)
  const timed = async <T>(attributes: Attributes, parent: Span | undefined, write: () => Promise<T>) => {
    const span = telemetry.begin('commit', attributes, { parent })
    const end = (outcome: string) => telemetry.time('commit', Date.now() - span.startedAt, { outcome })
    try {
      const written = await write()
      span.end()
      end('stored')
      return written
    } catch (error) {
      span.end({ error })
      end(nameOf(error))
      throw error
    }
  }
  const commit = async (change: Change, write: () => Promise<Committed>) => {
    const { queued, finished } = stepsOf(change)
    const attributes = { chat: change.chatId, run: queued?.runId ?? finished?.runId }
    const parent = finished && runs.of(finished.runId)
    const committed = await timed(attributes, parent, write)
    if (queued) runs.queued(change.chatId, queued)
    if (finished) runs.finished(finished)
    return committed
  }
  return ({ store, commands, ...ports }) => ({
    ...ports,
    store: withMethods(store, {
      commit: (change) => commit(change, () => store.commit(change)),
      commitCalled: (change, name) => commit(change, () => store.commitCalled(change, name)),
    }),
    commands: withMethods(commands, {
      createThread: (command) => timed({}, undefined, () => commands.createThread(command)),
      change: async (command) => {
        const answered = await timed({}, undefined, () => commands.change(command))
        const asked = command.change.steps.flatMap((step) => (step.kind === 'queue-run' ? [step] : []))
        if (!answered.repeated) for (const run of asked) runs.queued(command.change.chatId, run)
        return answered
      },
      forkThread: (command) => timed({}, undefined, () => commands.forkThread(command)),
      sendMessage: async (command) => {
        const { runId } = command.run
        const answered = await timed({ run: runId }, undefined, () => commands.sendMessage(command))
        // a repeated command was queued the first time
        if (!answered.repeated) runs.queued(undefined, command.run)
        return answered
      },
    }),
    runs: withMethods(ports.runs, {
      claim: async (...args) => {
        const claimed = await ports.runs.claim(...args)
        for (const run of claimed.runs) runs.claimed(run)
        return claimed
      },
    }),
    answer: (request) => runs.answered(request, ports.answer),
  })
}

function stepsOf({ steps }: Change) {
  return {
    queued: steps.find((step) => step.kind === 'queue-run'),
    finished: steps.find((step) => step.kind === 'finish-run'),
  }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error)

/** An object with some of its methods replaced; the others run on the object itself, which may have private fields. */
export function withMethods<T extends object>(target: T, methods: Partial<T>): T {
  const bound = new Map<PropertyKey, unknown>()
  return new Proxy(target, {
    get(object, key) {
      if (Object.hasOwn(methods, key)) return Reflect.get(methods, key)
      const value: unknown = Reflect.get(object, key)
      if (typeof value !== 'function') return value
      if (!bound.has(key)) bound.set(key, value.bind(object))
      return bound.get(key)
    },
  })
}
