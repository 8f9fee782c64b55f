export { ACCOUNT_PAGE, ENDED_KEYS, ENDED_SESSIONS, getAuth, LINK_WORKS, passkeyHost } from './auth'
export { addressChangedLetter, newAddressLetter, postLetter } from './letters'
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
