export { ACCOUNT_PAGE, ENDED_KEYS, ENDED_SESSIONS, getAuth, NOT_FROM_HERE, passkeyHost } from './auth'
export { changePassword, confirmAddress, readAccount, resetPassword } from './credentials'
export { addressChangedLetter, newAddressLetter, postLetter, resetLetter } from './letters'
export { type Account, makeLink } from './links'
export { weaknessOf } from './passwords'
export {
  bearerOf,
  ownerFor,
  readSession,
  readViewer,
  requireViewer,
  sessionHeaders,
  signInHeaders,
  UnauthenticatedError,
  type Viewer,
} from './viewer'
