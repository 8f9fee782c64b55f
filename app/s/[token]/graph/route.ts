export { sharedGraph as GET } from '@/lib/server/pages/shared-chat'
