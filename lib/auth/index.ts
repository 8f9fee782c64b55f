export { ENDED_KEYS, ENDED_SESSIONS, getAuth } from './auth'
export { bearerOf } from './credentials'
export { weaknessOf } from './passwords'
export {
  readSession,
  readViewer,
  requireViewer,
  sessionHeaders,
  UnauthenticatedError,
  type Viewer,
} from './viewer'
