/** What the app uses of the identity service, and adds to it, below `/api/auth/`; the rest of it is not there. */
export const identityRoutes: ReadonlySet<string> = new Set([
  'GET get-session',
  'POST sign-in/anonymous',
  'POST sign-in/email',
  'POST sign-up/email',
  'POST sign-out',
  'POST sign-out-everywhere',
])
