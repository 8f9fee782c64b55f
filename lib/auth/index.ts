export { ACCOUNT_PAGE, ENDED_KEYS, ENDED_SESSIONS, getAuth, passkeyHost } from './auth'
export { changePassword, confirmAddress, readAccount, resetPassword } from './credentials'
export { addressChangedLetter, newAddressLetter, postLetter, resetLetter } from './letters'
export { type Account, makeLink } from './links'
export { weaknessOf } from './passwords'
export {
  bearerOf,
  readSession,
  readViewer,
  requireViewer,
  sessionHeaders,
  signInHeaders,
  UnauthenticatedError,
  type Viewer,
} from './viewer'
