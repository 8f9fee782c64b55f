export { auditAs, defineAction } from './http/define-action'
