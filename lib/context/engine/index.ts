export type { AddedReminder } from './apply-reminders'
export { compile } from './compile'
export { ContextEngine } from './context-engine'
export {
  beforeSeam,
  type CutReply,
  continuedMessage,
  cutReply,
  goingOn,
  isCut,
  mayStandBetween,
  seamOf,
} from './cut-reply'
export { instructionsOf } from './instructions'
export { answersIn, onlyAnswered, openCalls, waitingCalls, withAnswers } from './tool-answers'
export type {
  CheckpointInfo,
  ContextEngineOptions,
  FragmentRenderer,
  InspectOptions,
  InspectResult,
  ResolveOptions,
  ResolveResult,
  SaveResult,
} from './types'
