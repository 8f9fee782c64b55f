import { isRecord, type Json, type JsonRecord, listAt, recordAt, textAt } from '../../json/values'
import { textFile } from '../../parts/files'
import { type ReadParts, reasoningPart } from '../../parts/read-blocks'
import { noLinks } from '../../tree/entries'
import type { ChatContext } from '../format'
import { plainParts } from '../plain-message'
import { tableFormat } from '../table'

/** A session of Continue: steps with a message and the context that the model got with it. */
export const continueSession = tableFormat({
  source: 'continue',
  program: 'Continue',
  silent: [
    'promptLogs',
    'editorState',
    'workspaceDirectory',
    'appliedRules',
    'appliedCodeBlock',
    'tool',
    'usage',
    'contextItems.description',
  ],
  recognises: (value) => listAt(value, 'history').some((step) => isRecord(step) && isRecord(step.message)),
  id: 'sessionId',
  title: 'title',
  createdAt: 'dateCreated',
  model: 'chatModelTitle',
  messages: 'history',
  tree: { ...noLinks, id: [] },
  message: {
    role: 'message.role',
    roles: { thinking: 'assistant' },
    model: ({ promptLogs }) => (Array.isArray(promptLogs) ? textAt(promptLogs[0], 'modelTitle') : undefined),
    readsOn: ({ message }) => recordAt({ message }, 'message').role === 'thinking',
    files: (step) => listAt(step, 'contextItems').flatMap(fileOf),
    parts: partsOf,
  },
})

function fileOf(item: Json) {
  const content = textAt(item, 'content')
  return content === null ? [] : [textFile(content, textAt(item, 'name') ?? textAt(item, 'description'))]
}

function partsOf(step: JsonRecord, context: ChatContext, id: string): ReadParts {
  const message = recordAt(step, 'message')
  if (message.role === 'thinking')
    return { parts: reasoningPart(textAt(message, 'content') ?? ''), answers: [] }
  const read = plainParts(message, context, id)
  // a tool's answer stands in the step of its call, and in newer sessions in a message too
  const answers = listAt(step, 'toolCallStates')
    .filter(isRecord)
    .flatMap((state) => {
      const outputs = listAt(state, 'output').flatMap((item) => textAt(item, 'content') ?? [])
      const failed = state.status === 'errored' || state.status === 'canceled'
      const callId = textAt(state, 'toolCallId')
      const toolName = textAt(recordAt(recordAt(state, 'toolCall'), 'function'), 'name')
      return outputs.length === 0 ? [] : [{ callId, toolName, output: outputs.join('\n'), failed, files: [] }]
    })
  const thoughts = textAt(recordAt(step, 'reasoning'), 'text') ?? ''
  return { parts: [...reasoningPart(thoughts), ...read.parts], answers: [...read.answers, ...answers] }
}
