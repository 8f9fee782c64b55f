export {
  afterTurn,
  and,
  everyNTurns,
  first,
  firstN,
  not,
  or,
  type ToolName,
  toolFailed,
  toolOutput,
} from './predicates'
export {
  isReminder,
  type ReminderContext,
  type ReminderFragment,
  type ReminderOptions,
  type ReminderTarget,
  type ReminderText,
  reminder,
  type WhenPredicate,
} from './reminder'
export type { ToolOutcome } from './tool-outcomes'
