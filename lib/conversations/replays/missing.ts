import type { ContextData, MessageData } from '@/lib/context'
import type { ChatId, UserId } from '@/lib/events'
import { InvalidRequestError } from '../errors'
import type { AvailableModels, Ports } from '../ports'
import { choicesIn, idleWork, toolsFor } from '../replies/reply-tools'
import { checkTakes } from '../turns/attached-files'
import { fileIdsOf } from '../turns/user-message'
import { filesOfAll, saidIn } from './questions'

type Said = Pick<MessageData, 'id' | 'data'>

/** The chat whose files and tools are checked, and the messages that need them. */
interface Wish {
  ownerId: UserId
  chatId: ChatId
  models: AvailableModels
  model: string
  questions: readonly Said[]
}

/**
 * Names each missing requirement of some messages in a sentence: files that are gone, files that the model
 * does not take, and tools of the context.
 */
export async function missingOf(
  ports: Ports,
  { context, ...wish }: Wish & { context: ContextData },
): Promise<{ sentences: string[]; stored: ReadonlySet<string> }> {
  const { chatId, model, models } = wish
  const [files, tools] = await Promise.all([
    missingFiles(ports, wish),
    toolsFor(ports, { chatId, model, models, choices: choicesIn(context), work: idleWork }),
  ])
  await tools.close()
  return { ...files, sentences: [...files.sentences, ...tools.notices] }
}

/** The files among it, which may go at any time. */
export async function missingFiles(
  { files }: Pick<Ports, 'files'>,
  { ownerId, models, model, questions }: Wish,
): Promise<{ sentences: string[]; stored: ReadonlySet<string> }> {
  const ids = filesOfAll(questions)
  if (ids.length === 0) return { sentences: [], stored: new Set() }
  const stored = new Set((await files.of(ownerId, ids)).map(({ id }) => id))
  const sentences = questions.map(saidIn).flatMap((message) => {
    const gone = message.parts.flatMap((part) =>
      part.type === 'file' && fileIdsOf({ parts: [part] }).some((id) => !stored.has(id))
        ? [`The file “${part.filename ?? 'without a name'}” is not stored any more.`]
        : [],
    )
    return [...gone, ...refusedBy(models, model, message)]
  })
  return { sentences: [...new Set(sentences)], stored }
}

function refusedBy(...asked: Parameters<typeof checkTakes>): string[] {
  try {
    checkTakes(...asked)
    return []
  } catch (error) {
    if (error instanceof InvalidRequestError) return [error.message]
    throw error
  }
}
