import 'server-only'
import type { Services } from '@/lib/runtime'
import { clientAddress } from './client-address'

/** The services, for a request that writes: what it stores is counted for the address it comes from too. */
export const countedFor = (services: Services, request: Parameters<typeof clientAddress>[0]): Services => ({
  ...services,
  ports: services.portsFor(clientAddress(request)),
})
