import { handleAuth } from '@/lib/server/api/access'

export { handleAuth as DELETE, handleAuth as GET, handleAuth as PATCH, handleAuth as POST, handleAuth as PUT }
