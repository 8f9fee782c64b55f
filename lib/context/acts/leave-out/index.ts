export { leaveOut, planLeaveOut, promptChain } from './leave-out'
