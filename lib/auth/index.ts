export { getAuth } from './auth'
export { bearerOf } from './bearer'
export { readViewer, requireViewer, UnauthenticatedError, type Viewer } from './viewer'
