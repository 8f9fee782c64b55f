export {
  clarification,
  example,
  explain,
  guardrail,
  principle,
  quirk,
  styleGuide,
  term,
  workflow,
} from './domain-fragments'
export { fragment, hint, role } from './fragment'
export { isFragment, isFragmentObject, isLazyFragment, isMessageFragment } from './guards'
export { lastAssistantMessage } from './last-assistant-message'
export { assistant, assistantText, type MessageOptions, message, user } from './message-fragments'
export { messagePreview } from './message-preview'
export { messageText } from './message-text'
export { messageTitle } from './message-title'
export { correction, identity, memory, persona, preference } from './person-fragments'
export {
  type ConcreteMessageFragment,
  type ContextFragment,
  type FragmentCodec,
  type FragmentData,
  type FragmentObject,
  type FragmentType,
  LAZY_ID,
  type LazyConfig,
  type LazyFragment,
  type MessageFragment,
} from './types'
export { withMessageId } from './with-message-id'
