// What streams replies, with most of the AI SDK: in a chunk of its own (load-replies.ts), since reading needs none of it.
export { LiveReply } from '@/components/thread/live-reply'
export { followRun, startTurn } from './start-turn'
