export { getAuth } from './auth'
export { readViewer, requireViewer, UnauthenticatedError, type Viewer } from './viewer'
