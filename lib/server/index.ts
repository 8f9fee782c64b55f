export { defineAction } from './define-action'
export { defineRoute, problemResponse } from './define-route'
export { RequestRefusedError } from './problem'
export { readBody } from './read-body'
