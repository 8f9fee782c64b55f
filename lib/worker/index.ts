export { Worker } from './worker'
