export { FragmentValueError, resolveValues } from './deferred'
export {
  alias,
  analogy,
  clarification,
  correction,
  example,
  explain,
  glossary,
  guardrail,
  identity,
  memory,
  persona,
  policy,
  preference,
  principle,
  quirk,
  structuredOutput,
  styleGuide,
  term,
  workflow,
} from './domain-fragments'
export { fragment, hint, role } from './fragment'
export { isFragment, isFragmentObject, isLazyFragment, isMessageFragment } from './guards'
export {
  assistant,
  assistantText,
  lastAssistantMessage,
  type MessageOptions,
  message,
  user,
  withMessageId,
} from './message-fragments'
export {
  type Held,
  heldBy,
  isHiddenMessage,
  messagePreview,
  messageText,
  messageTitle,
  promptText,
  searchText,
} from './message-text'
export * from './reminders'
export {
  type ConcreteMessageFragment,
  type ContextFragment,
  type FragmentCodec,
  type FragmentData,
  type FragmentLoader,
  type FragmentObject,
  type FragmentType,
  LAZY_ID,
  type LazyConfig,
  type LazyFragment,
  type LoadContext,
  type MessageFragment,
} from './types'
