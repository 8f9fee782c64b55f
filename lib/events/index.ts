export * from './event'
export * from './ids'
