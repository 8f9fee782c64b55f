export { keepAwake } from './http/background'
export { auditAs, defineAction } from './http/define-action'
