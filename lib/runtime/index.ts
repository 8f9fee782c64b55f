export { authSecret } from './auth-secret'
export { type Env, EnvError } from './env'
export { logError } from './log'
export { createServices, createWorker, getServices, type Services } from './services'
