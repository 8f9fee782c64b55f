export { shareImage as GET } from '@/lib/server/pages/share-image'
