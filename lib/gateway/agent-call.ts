import type { AssistantModelMessage, ModelMessage } from 'ai'

/** The protocols an agent may speak: OpenAI's two, and Anthropic's. */
export type AgentProtocol = 'chat-completions' | 'responses' | 'messages'

/** A tool that the agent offers the model, and carries out itself. */
export interface AgentTool {
  name: string
  description?: string
  inputSchema: unknown
}

/** The call of an agent to a model, whatever its protocol. */
export interface AgentCall {
  protocol: AgentProtocol
  /** as the agent names it */
  model: string
  /** system and developer texts that stand before everything said, in order */
  system: string[]
  tools: AgentTool[]
  /** the settings that decide the reply: temperature, most tokens, tool choice */
  settings: Readonly<Record<string, unknown>>
  /**
   * everything said, oldest first, with instructions amid it; an item that is not understood is a part of the type
   * `kept`
   */
  messages: ModelMessage[]
  /**
   * the response this one follows, where the provider keeps the messages before (Responses API, threads of Anthropic)
   */
  previousResponseId?: string
  /** the conversation this one goes on, which the provider keeps under this id (Responses API) */
  conversationId?: string
  /** the provider keeps the reply: a later call may name it instead of sending it again */
  keepsReply?: boolean
  streamed: boolean
}

/** The answer of the provider, as far as it came. */
export interface AgentReply {
  message: AssistantModelMessage
  /** the provider's own id of the response */
  responseId?: string
  /** the provider's ids of the response's items */
  itemIds?: string[]
  /** the model that answered, as the provider names it */
  model?: string
  finishReason?: string
  usage?: { input?: number; output?: number; cached?: number; reasoning?: number }
  /** the other choices of the same answer; their tokens are counted with the first */
  others?: AgentReply[]
  /** set when the answer is not whole: in words, why */
  brokenOff?: string
}

/** The place in the graph at which a call stands: the headers `x-ramify-chat`, `-branch` and `-message` say it. */
export interface AgentPlace {
  chatId: string
  /** the branch's id */
  branchId: string
  /** in an answer, the message that holds the reply */
  messageId: string
}

/** The place that an agent says its call belongs to; each part may be missing. */
export type AgentPin = { chat?: string; branch?: string; message?: string }
