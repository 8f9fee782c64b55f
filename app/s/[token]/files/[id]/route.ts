export { sharedFile as GET } from '@/lib/server/pages/shared-chat'
