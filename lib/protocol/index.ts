export * from './apply-delta'
// types alone: a page that imports this index loads no zod
export type * from './chat-view'
export type * from './comparison'
export type * from './graph'
export type * from './health'
export type * from './movement'
export type * from './problem'
export type * from './search'
