// `lazy(() => import('./'))` loads React Flow with it
export { default } from './conversation-graph'
export type { ConversationGraphProps } from './model/graph-props'
