export { sharedFinds as GET } from '@/lib/server/pages/shared-chat'
