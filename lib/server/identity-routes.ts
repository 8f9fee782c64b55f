/** What the app uses of the identity service, below `/api/auth/`; the rest of it is not there. */
export const identityRoutes: ReadonlySet<string> = new Set([
  'GET get-session',
  'POST sign-in/anonymous',
  'POST sign-in/email',
  'POST sign-up/email',
  'POST sign-out',
])
