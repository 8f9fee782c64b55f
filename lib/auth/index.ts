export { ENDED_KEYS, ENDED_SESSIONS, getAuth } from './auth'
export { weaknessOf } from './passwords'
export {
  bearerOf,
  readSession,
  readViewer,
  requireViewer,
  sessionHeaders,
  UnauthenticatedError,
  type Viewer,
} from './viewer'
