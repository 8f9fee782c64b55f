export { asReceived, planReceive, type ReceivedMessage, type ReceivingBranch } from './plan-receive'
