export { ENDED_KEYS, ENDED_SESSIONS, getAuth } from './auth'
export { bearerOf } from './bearer'
export { weaknessOf } from './passwords'
export {
  readSession,
  readViewer,
  requireViewer,
  sessionHeaders,
  UnauthenticatedError,
  type Viewer,
} from './viewer'
