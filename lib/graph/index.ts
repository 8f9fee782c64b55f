export * from './chat-view'
export * from './graph'
