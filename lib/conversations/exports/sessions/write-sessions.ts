import type { SessionCall, SessionFacts, SessionStep } from './session-steps'

/** Client versions of the written files: the clients also read files of older versions. */
const versions = { claude: '2.1.197', codex: '0.171.0' }

const timeOf = (at: number) => new Date(at).toISOString()

/** A session of Claude Code: each message is a line that names the one above; results of tools are messages of the person. */
export function claudeCodeSession(steps: readonly SessionStep[], { id, cwd, newId }: SessionFacts): object[] {
  const lines: object[] = []
  let parentUuid: string | null = null
  const add = (type: 'user' | 'assistant', at: number, message: object) => {
    const uuid = newId()
    lines.push({
      parentUuid,
      isSidechain: false,
      userType: 'external',
      cwd,
      sessionId: id,
      version: versions.claude,
      gitBranch: '',
      type,
      message,
      uuid,
      timestamp: timeOf(at),
    })
    parentUuid = uuid
  }
  for (const { role, text, calls, model, at } of steps) {
    if (role === 'user') {
      add('user', at, { role, content: text })
      continue
    }
    const words = text === '' ? [] : [{ type: 'text', text }]
    const uses = calls.map((call) => ({ type: 'tool_use', id: call.id, name: call.name, input: call.input }))
    add('assistant', at, {
      id: `msg_${newId()}`,
      type: 'message',
      role,
      model,
      content: [...words, ...uses],
      stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 0, output_tokens: 0 },
    })
    if (calls.length === 0) continue
    const content = calls.map((call) => ({
      type: 'tool_result',
      tool_use_id: call.id,
      content: call.output,
      is_error: call.failed,
    }))
    add('user', at, { role: 'user', content })
  }
  return lines
}

/** A rollout of Codex: items of the Responses API, and an event for each message, which its lists show. */
export function codexSession(steps: readonly SessionStep[], { id, cwd, now }: SessionFacts): object[] {
  const line = (at: number, type: string, payload: object) => ({ timestamp: timeOf(at), type, payload })
  const meta = {
    id,
    timestamp: timeOf(now),
    cwd,
    originator: 'ramify',
    cli_version: versions.codex,
    source: 'cli',
  }
  return [
    line(now, 'session_meta', meta),
    ...steps.flatMap(({ role, text, calls, at }) => {
      const type = role === 'user' ? 'input_text' : 'output_text'
      const event = { type: role === 'user' ? 'user_message' : 'agent_message', message: text }
      const words =
        text === ''
          ? []
          : [
              line(at, 'response_item', { type: 'message', role, content: [{ type, text }] }),
              line(at, 'event_msg', event),
            ]
      return [
        ...words,
        ...calls.map((call) => line(at, 'response_item', codexCall(call))),
        ...calls.map((call) =>
          line(at, 'response_item', {
            type: textInput(call) === undefined ? 'function_call_output' : 'custom_tool_call_output',
            call_id: call.id,
            output: call.output,
          }),
        ),
      ]
    }),
  ]
}

/** The text of a call of a tool that takes any text, which is its one input. */
const textInput = ({ input }: SessionCall): string | undefined =>
  'input' in input && typeof input.input === 'string' && Object.keys(input).length === 1
    ? input.input
    : undefined

function codexCall(call: SessionCall): object {
  const text = textInput(call)
  return text === undefined
    ? { type: 'function_call', call_id: call.id, name: call.name, arguments: JSON.stringify(call.input) }
    : { type: 'custom_tool_call', call_id: call.id, name: call.name, input: text }
}

/** A session of pi: a header, then entries that name the one above. */
export function piSession(steps: readonly SessionStep[], { id, cwd, now, newId }: SessionFacts): object[] {
  const entries: object[] = [{ type: 'session', version: 3, id, timestamp: timeOf(now), cwd }]
  let parentId: string | null = null
  const add = (at: number, message: object) => {
    const entryId = newId().slice(-12)
    entries.push({ type: 'message', id: entryId, parentId, timestamp: timeOf(at), message })
    parentId = entryId
  }
  for (const { role, text, calls, model, at } of steps) {
    const words = text === '' ? [] : [{ type: 'text', text }]
    if (role === 'user') {
      add(at, { role, content: words, timestamp: at })
      continue
    }
    const uses = calls.map((call) => ({
      type: 'toolCall',
      id: call.id,
      name: call.name,
      arguments: call.input,
    }))
    const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
    add(at, {
      role,
      content: [...words, ...uses],
      api: 'openai-completions',
      provider: 'ramify',
      model,
      usage: { ...none, totalTokens: 0, cost: { ...none, total: 0 } },
      stopReason: calls.length > 0 ? 'toolUse' : 'stop',
      timestamp: at,
    })
    for (const call of calls)
      add(at, {
        role: 'toolResult',
        toolCallId: call.id,
        toolName: call.name,
        content: [{ type: 'text', text: call.output }],
        isError: call.failed,
        timestamp: at,
      })
  }
  return entries
}
